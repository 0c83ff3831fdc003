"""What the panel of plans asks for. Its messages are private, its ids name no card all the same."""

from dataclasses import dataclass
from typing import ClassVar, Self

from bot.table.ids import TableId
from bot.table.plans import AllForced, LowestOfSuitLed, Plan, QueenWhenPossible
from cogs.ui.id_shapes import InDeal, Parts

_NAMES: dict[str, Plan] = {
    "low": LowestOfSuitLed(),
    "queen": QueenWhenPossible(),
    "forced": AllForced(),
}
_ON, _OFF = "on", "off"


class OpenPlans(InDeal):
    """Show what is planned."""

    word = "plans"


class SetCardAside(InDeal):
    """A menu; its one value is a card in notation."""

    word = "aside"


class TakeCardBack(InDeal):
    """Take the card back that was set aside."""

    word = "unaside"


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchPlan:
    """Plan something for several turns, or not any more."""

    word: ClassVar[str] = "plan"
    table: TableId
    deal: int
    """Counted from 1."""
    plan: Plan
    """Any but a single card."""
    on: bool

    def parts(self) -> Parts:
        name = next(name for name, plan in _NAMES.items() if plan == self.plan)
        return Parts(self.table, self.deal, f"{name}.{_ON if self.on else _OFF}")

    @classmethod
    def read(cls, parts: Parts) -> Self:
        name, _, state = parts.argument.partition(".")
        if name not in _NAMES:
            raise ValueError(name)
        return cls(table=parts.table_id, deal=parts.moment, plan=_NAMES[name], on=state == _ON)


PlanAction = OpenPlans | SetCardAside | TakeCardBack | SwitchPlan
"""Everything that is pressed about plans."""
