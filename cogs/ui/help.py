"""Help in topics, and the greeting of a new server."""

from collections.abc import Mapping
from enum import Enum

import discord
from discord import ui

from cogs.names import Markup
from cogs.ui import ids
from cogs.ui.faces import HEART
from cogs.ui.parts import LOBBY, heading, menu, panel, press, rows, text
from cogs.words import Voice


class Topic(Enum):
    """What the help can tell about; the value stands in the menu's answer."""

    START = "start"
    HAND = "hand"
    HEARTS = "hearts"
    TIME = "time"
    FAIR = "fair"
    COMMANDS = "commands"
    PRIVACY = "privacy"


_TITLES = {
    Topic.START: "First steps",
    Topic.HAND: "Your hand",
    Topic.HEARTS: "How Hearts is played",
    Topic.TIME: "Time, robots and leaving",
    Topic.FAIR: "Fair deals",
    Topic.COMMANDS: "All commands",
    Topic.PRIVACY: "What is remembered",
}
_TEXTS = {
    Topic.START: (
        "{start} opens a table in the channel you are in.",
        "Friends press Join on its post. Add robot fills a free seat, and Start begins the game.",
        "A menu below adds a robot that plays as well as you choose, from casual to expert.",
        "{variants} lists the kinds of Hearts; the host changes single rules with Customise.",
        "My hand on the newest post shows your cards, to you alone.",
        "Each trick is a post of its own, so the channel reads like a record of the game.",
    ),
    Topic.HAND: (
        "My hand works on the newest post and on every call.",
        "{hand} shows the same anywhere in the server, and in a direct message to me.",
        "It is safe to lose: open it again at any time, days later too.",
        "To pass, choose the cards in the menu and press Pass these.",
        "You may change them until everybody has passed.",
        "To play, press a card. Cards that the rules forbid now are disabled, and a line says why.",
        "Cards that came in are green until your first card, and named in words.",
        "With Ask before playing a card is played only after a second press.",
        "While others play, Plan ahead sets a card aside, or a short plan for the whole deal.",
        "It is played when your turn comes, after a pause; until then you may change it.",
        "Nobody else can see it, or tell afterwards by how long it took.",
        "Where only one card may be played, {preferences} can play it for you at all tables.",
        "Once nothing is left that counts, End this deal ends it, if everybody who plays agrees.",
    ),
    Topic.HEARTS: (
        "You must follow the suit that was led if you can.",
        "The highest card of that suit takes the trick.",
        "You want few points: each heart costs 1, and the queen of spades costs 13.",
        "Hearts may be led only once they are broken.",
        "Take every card that costs points, and you shoot the moon: it turns against the others.",
        "{rules} tells the rules of a table, what is special about it first.",
    ),
    Topic.TIME: (
        "Each table has a time for a move, which its host chooses.",
        "A move that takes longer is paid from your time bank, which each move fills up a little.",
        "If you are late, a robot makes that one move for you, and the table is told.",
        "If you miss two in a row, it takes your seat. You can take it back in My hand.",
        "You are called when it is your turn, and again when half and nine tenths of it are over.",
        "{preferences} chooses how: by a mention, in silence, in private or not at all.",
        "There you also set quiet hours, in which nothing calls you.",
        "{vacation} stops your own clock while you are away; the others see until when.",
        "{nudge} calls whoever is waited for once more: once for a move, at most every six hours.",
        "{leave} hands your seat to a robot, and with {substitute} somebody takes it over.",
        "{pause} stops all clocks once everybody agrees, and {clock} asks for another one.",
        "{kick} gives somebody's seat to a robot, by a vote or as a moderator.",
        "{end} ends the game for everybody, which the host and moderators can do.",
        "{table} brings a buried table back to the end of its channel.",
    ),
    Topic.FAIR: (
        "Each deal is sealed before it begins, the first one in the lobby.",
        "Its seal, the long number in small print, is like that of an envelope.",
        "It tells no card, and what it closes in cannot be exchanged for anything else.",
        "Cut the deck puts a word of your own into the next shuffle, after the seal.",
        "Without a word the number of your last press cuts it, so nobody waits for anybody.",
        "The score sheet tells the seed of the deal and all cuts.",
        "{verify} checks that they make the seal and the cards, also for games that are over.",
        "It gives you a file and names a page of code, so you can check it without me.",
        "That proves that nobody changed the deal, or chose it with your cut in mind.",
        "It does not prove that whoever runs me did not look at the cards.",
    ),
    Topic.COMMANDS: (
        "{start} opens a table.",
        "{hand} shows your cards.",
        "{table} brings a table back to the end of its channel, {move} moves it to another.",
        "{score} lists all scores of a table, {history} shows a deal card by card.",
        "{verify} checks that a deal was fair.",
        "{rules} tells the rules, {variants} the kinds of Hearts.",
        "{games} lists your tables.",
        "{nudge} calls whoever your table waits for once more.",
        "{leave} gives up your seat, {substitute} takes over that of a robot.",
        "{host} makes somebody else the host, {end} ends a table.",
        "{pause}, {clock} and {kick} ask everybody at your table.",
        "{scorekeeper} keeps the score of a game that you play with real cards.",
        "{leaderboard} says who plays best here, {stats} what came of somebody's games.",
        "{preferences} sets how you are called, and when, {vacation} your vacation.",
        "{about} says what is stored about you; {export} and {delete} are yours to use.",
        "{settings} is for those who manage this server; {admin} shows them all its tables.",
        "{status} says how I am and which rights I lack here; {help} brings you back to this.",
    ),
    Topic.PRIVACY: (
        "I store your Discord id, the name I last saw, your moves and your results.",
        "Your time zone and quiet hours are shown to nobody; a vacation is, at your tables.",
        "What you type into {scorekeeper} is kept until you close it, and then forgotten.",
        "I read no messages, and I show your unplayed cards to nobody but you.",
        "{about} says who sees what, for how long, and where the privacy policy stands.",
        "{export} sends you all of it as a file, and {delete} deletes it after a week.",
    ),
}
_COMMANDS = {
    "start": "hearts start",
    "hand": "hearts hand",
    "table": "hearts table",
    "score": "hearts score",
    "verify": "hearts verify",
    "history": "hearts history",
    "scorekeeper": "hearts scorekeeper",
    "rules": "hearts rules",
    "variants": "hearts variants",
    "games": "hearts games",
    "leave": "hearts leave",
    "substitute": "hearts substitute",
    "host": "hearts host",
    "pause": "hearts pause",
    "nudge": "hearts nudge",
    "move": "hearts move",
    "admin": "hearts admin",
    "clock": "hearts clock",
    "kick": "hearts kick",
    "end": "hearts end",
    "help": "hearts help",
    "status": "hearts status",
    "leaderboard": "leaderboard",
    "stats": "stats",
    "preferences": "preferences",
    "about": "privacy about",
    "export": "privacy export",
    "delete": "privacy delete",
    "vacation": "hearts vacation",
    "settings": "settings",
}


def render_help(
    topic: Topic = Topic.START,
    *,
    command_ids: Mapping[str, int] | None = None,
    locale: discord.Locale | None = None,
) -> ui.LayoutView:
    """Draw one topic and the menu of all.

    Args:
        topic: what to tell about.
        command_ids: by name, the ids under which commands are known; those become links.
        locale: the reader's.
    """
    voice = Voice(locale)
    commands = _mentions(command_ids or {})
    lines = [f"- {voice(words, **commands)}" for words in _TEXTS[topic]]
    options = [
        discord.SelectOption(label=voice(_TITLES[each]), value=each.value, default=each is topic)
        for each in Topic
    ]
    choose = menu(ids.ChooseHelp(), options, placeholder=voice("Choose a topic"))
    return panel(LOBBY, [text(heading(f"{HEART} {voice(_TITLES[topic])}"), *lines), choose])


def render_greeting(
    command_ids: Mapping[str, int] | None = None, locale: discord.Locale | None = None
) -> ui.LayoutView:
    """Greet a server that I have just come to."""
    voice = Voice(locale)
    commands = _mentions(command_ids or {})
    words = voice(
        "I deal Hearts: private hands, patient robots for empty seats, and games that may take "
        "an evening or a month. {start} opens a table in this channel.",
        **commands,
    )
    return panel(
        LOBBY,
        [
            text(heading(f"{HEART} {voice('Hello, and thank you for having me')}"), words),
            *rows([press(ids.ShowHelp(), voice("How it works"), primary=True)]),
        ],
    )


def _mentions(command_ids: Mapping[str, int]) -> dict[str, Markup]:
    """A link to each command, or its name where no id is known."""
    found: dict[str, Markup] = {}
    for gap, command in _COMMANDS.items():
        root = command_ids.get(command.split()[0])
        found[gap] = Markup(f"`/{command}`" if root is None else f"</{command}:{root}>")
    return found
