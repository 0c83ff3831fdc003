"""How a message would look, as a short hash: two equal looks need no edit."""

import hashlib
import json
from typing import Any

import discord


def looks_of(view: discord.ui.LayoutView) -> str:
    """Sixteen letters that change with anything in *view*, custom ids included."""
    drawn: Any = view
    text = json.dumps(drawn.to_components(), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
