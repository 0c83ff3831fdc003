"""Servers with house rules."""

from typing import Any

from bot.table.storing import HouseRules, ServerSettings


def house(house_id: str = "7", name: str = "Ours", **rules: Any) -> HouseRules:
    """House rules: the standard preset, or the one that `extends` names, with keys changed."""
    return HouseRules(house_id, name, {"extends": "standard", **rules})


def server_playing(rules: dict[str, Any], **more: Any) -> ServerSettings:
    """Settings of a server whose usual rules are house rules of its own."""
    ours = house(**rules)
    return ServerSettings(house_rules=(ours,), default_house=ours.id, **more)
