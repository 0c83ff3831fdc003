"""Renders: values in, fresh views out. Nothing is stored, nothing is sent, no time is read.

Every view is new, has ``timeout=None`` and is `stop()`ped by whoever sends it; mentions are the
sender's business too. In all of them *locale* is a `discord.Locale`: the
reader's, or the server's for public posts; ``None`` is English.

Public:

- ``post.render_post(post, locale=None)``
- ``ping.render_ping(ping, locale=None) -> (content, classic view)``
- ``notice.render_notice(sentence, locale=None)``: one plain sentence, also a question's answer

Private:

- ``hand.render_hand(view, *, server=None, picked=…, choosing=False, asking=None, locale=None)``
- ``questions.leave_question(table, locale=None, *, asker=None)``,
  ``questions.end_question(table, locale=None, *, asker=None)``
- ``score_sheet.render_scores(table, locale=None)``
- ``rules.render_rules(ruleset, seats, locale=None)``, ``rules.render_variants(locale=None)``
- ``games.render_games(lines, locale=None)``
- ``standings.render_board(page, period, locale=None)``,
  ``standings.render_stats(stats, name, locale=None)``
- ``settings.render_settings(settings, *, saved=None, locale=None)``
- ``help.render_help(topic=Topic.START, *, command_ids=None, locale=None)``,
  ``help.render_greeting(command_ids=None, locale=None)``
"""
