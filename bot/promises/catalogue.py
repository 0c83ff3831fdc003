"""All promises, and which module knows whether they are kept."""

from bot.promises.promise import BY_TESTS, Promise

WORDS = {
    1: "A move that was acknowledged survives any crash of the program",
    2: "It also survives a loss of power, where the disk honours fsync",
    3: "A click counts at most once",
    4: "No message is lost, and none is sent twice while Discord remembers its nonce",
    5: "At up to 25 moves a second posts show the truth within 2 s (99 %), and people are called "
    "within 5 s at up to 12 moves of theirs",
    6: "1,000 tables at 25 moves a second, and at 50 for a minute: moves are acknowledged within "
    "500 ms (99 %) and all within 2.5 s",
    7: "At least 300 durable commits a second on an ordinary disk, and 100 where an fsync takes "
    "5 ms more",
    8: "At most 45 requests a second over time and 50 in any, one edit for each table and second, "
    "fewer than 100 invalid requests in 10 minutes",
    9: "A deadline fires once, at most 5 s late, or 30 s after a start; an outage is credited",
    10: "SIGTERM ends the program with 0 within 5 s; it is ready 10 s after a start with 10,000 "
    "open tables",
    11: "Two processes over one PostgreSQL lose and double no move; a stale owner changes nothing",
    12: "The rules lose no card and no point in random deals of every variant, and an illegal "
    "action changes nothing",
    13: "What anybody is sent depends on no card that is hidden from them",
    14: "Deals are fair, and anybody can verify them",
    15: "Hostile input breaks nothing, changes nothing and calls nobody",
    16: "Nobody does what their role does not allow, in any phase",
    17: "A backup made under load can be restored, and its games replay",
    18: "Playing on and on leaves memory, open files, the database's log and the event loop as "
    "they are",
    19: "SQLite and PostgreSQL keep the same contract",
    20: "The database of every released version can be brought up to date with all its rows",
}
"""Number to words; a promise that nothing measures yet is in no row below."""

MODULES = {
    1: BY_TESTS,
    2: BY_TESTS,
    3: BY_TESTS,
    4: BY_TESTS,
    5: "bot.promises.boards",
    6: "bot.promises.answers",
    7: "bot.promises.commits",
    8: "bot.promises.requests",
    9: BY_TESTS,
    10: BY_TESTS,
    11: BY_TESTS,
    12: BY_TESTS,
    13: BY_TESTS,
    14: "bot.promises.fair_deals",
    15: BY_TESTS,
    16: BY_TESTS,
    17: "bot.promises.restores",
    18: "bot.promises.soak",
    19: BY_TESTS,
    20: BY_TESTS,
}
"""Number to the module that finds the verdict; see `Promise.module`."""

PROMISES = tuple(
    Promise(number=number, words=WORDS[number], module=module)
    for number, module in sorted(MODULES.items())
)
