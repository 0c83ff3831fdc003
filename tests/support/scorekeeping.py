"""A score keeper on the simulated Discord, used by the one person who sees it."""

from typing import Any

from bot.table.ids import ChannelId, UserId
from bot.table.keeping import Keeper, KeptWhere
from cogs.ui import keeper_ids
from tests.support.discord import World, actions, text_of

FOUR = "Ana, Ben, Cy, Dee"


class Panel:
    """One person's score keeper, as that person sees it."""

    def __init__(self, world: World, person: Any, message: Any) -> None:
        self.world = world
        self.person = person
        self.message = message

    @property
    def text(self) -> str:
        return text_of(self.message)

    def offers(self, kind: type[Any]) -> Any:
        [found] = [action for action in actions(self.message) if isinstance(action, kind)]
        return found

    async def press(self, kind: type[Any]) -> Any:
        return self._seen(await self.world.press(self.person, self.message, self.offers(kind)))

    async def choose(self, kind: type[Any], value: str) -> Any:
        action = self.offers(kind)
        return self._seen(await self.world.choose(self.person, self.message, action, [value]))

    async def form(self, kind: type[Any] = keeper_ids.OpenPoints) -> Any:
        """Press a button that opens a form; the form is not filled in yet."""
        return await self.world.press(self.person, self.message, self.offers(kind))

    async def submit(self, form: Any, **values: str) -> Any:
        menus = {field["custom_id"] for field in fields(form) if "options" in field}
        filled = {name: [text] if name in menus else text for name, text in values.items()}
        return self._seen(await self.person.submit_modal(form, filled))

    async def enter(self, *points: object) -> Any:
        """Type the points of a deal, a field each."""
        typed = {str(seat): str(number) for seat, number in enumerate(points)}
        return await self.submit(await self.form(), **typed)

    async def agree(self, **values: str) -> Any:
        """Fill in the form of rules, the rest as it stands there."""
        form = await self.form(keeper_ids.OpenRules)
        return await self.submit(form, **{**defaults(form), **values})

    def _seen(self, result: Any) -> Any:
        assert result.acknowledged
        if result.response is not None:
            self.message = result.response
        return result

    async def stored(self) -> Keeper:
        where = KeptWhere(ChannelId(self.world.channel.id), UserId(self.person.id))
        found = await self.world.app.bot.services.keepers.find(where)
        assert found is not None
        return found

    async def totals(self) -> tuple[int, ...]:
        return (await self.stored()).sheet.totals


def fields(form: Any) -> list[dict[str, Any]]:
    return [label["component"] for label in form.modal["components"]]


def defaults(form: Any) -> dict[str, str]:
    """What stands in a form before anybody types."""
    found = {}
    for field in fields(form):
        chosen = [each["value"] for each in field.get("options", []) if each.get("default")]
        found[field["custom_id"]] = chosen[0] if chosen else field.get("value", "")
    return found


async def opened(world: World, players: str = FOUR, name: str = "Ann") -> Panel:
    person = world.person(name)
    result = await world.slash(person, "hearts scorekeeper", players=players)
    assert result.ephemeral
    return Panel(world, person, result.response)


async def reopened(panel: Panel) -> Panel:
    """The same person types the command again."""
    result = await panel.world.slash(panel.person, "hearts scorekeeper")
    return Panel(panel.world, panel.person, result.response)
