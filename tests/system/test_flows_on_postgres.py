"""What people do in Discord, with PostgreSQL behind it (reliability.md 6.19).

The flows are tests of other files, which run there on SQLite: chosen so that together they send
every statement that the bot has for its database.
"""

import signal
from collections.abc import Iterator
from pkgutil import resolve_name

import pytest

from cogs.ui import ids
from tests.support.discord import discord_world, on_postgres, text_of
from tests.support.forms import times
from tests.support.postgres import cluster

pytestmark = pytest.mark.promise(19)

FLOWS = (
    # From the lobby to the sheet, and what is repeated, changed or asked for on the way.
    "cogs.test_flow:test_four_people_play_a_deal_by_clicks_alone",
    "cogs.test_commands:test_start_makes_room_for_everybody_named",
    "cogs.test_commands:test_a_second_table_in_the_channel_is_refused_with_words",
    "cogs.test_commands:test_hand_and_games_work_in_a_direct_message_too",
    "cogs.test_commands:test_a_chosen_pass_may_be_changed_until_all_have_chosen",
    "cogs.test_commands:test_a_call_to_the_one_to_move_opens_the_hand_and_goes_with_the_turn",
    "cogs.test_commands:test_table_brings_the_newest_post_back_to_the_end_of_the_channel",
    "cases.test_presses:test_b12_a_double_press_plays_one_card",
    "cases.test_presses:test_b13_two_people_who_press_at_once_change_a_lobby_once",
    "cases.test_presses:test_b13_a_rematch_that_two_press_at_once_is_one_lobby",
    # The end, boards, what is revealed.
    "cogs.test_commands:test_leaderboard_and_stats_count_what_was_played",
    # Settings, house rules, preferences, absences.
    "cogs.test_settings:test_channels_are_chosen_and_none_means_everywhere",
    "cogs.test_house_rules:test_house_rules_are_made_changed_used_renamed_and_deleted",
    "cogs.test_house_rules:test_a_restart_between_two_presses_loses_nothing",
    "cogs.test_preferences:test_quiet_hours_are_typed_shown_and_taken_away",
    "cogs.test_preferences:test_b61_a_vacation_stops_the_own_clock_and_the_others_see_until_when",
    # Votes, plans, calls, robots, volunteers.
    "cogs.test_votes:test_a_pause_and_its_votes_outlive_a_restart",
    "cogs.test_votes:test_b55_a_majority_changes_the_clock_and_the_deadline_that_is_shown",
    "cogs.test_planning:test_a_plan_is_carried_out_after_a_restart_as_well",
    "cogs.test_nudge:test_who_is_waited_for_is_called_once_more_and_only_once",
    "cogs.test_seats:test_a_volunteer_chooses_a_robots_seat_and_sees_its_hand",
    # The score keeper.
    "cogs.test_scorekeeper:test_a_whole_game_survives_a_restart_and_is_posted_once_it_is_over",
    "cogs.test_scorekeeper:test_two_clicks_that_race_post_the_scores_once",
    "cogs.test_scorekeeper:test_closing_asks_first_and_makes_room",
    # Threads and channels, also those that go away, and posts that somebody deletes.
    "cogs.test_threads:test_two_people_who_want_a_rematch_at_once_get_one_thread",
    "cogs.test_thread_life:test_a_table_moves_from_its_thread_to_the_channel_and_back",
    "cases.test_moving:test_b64_a_game_whose_channel_is_deleted_goes_on_where_its_host_moves_it",
    "cases.test_channels:test_b74_a_bot_that_was_sent_away_closes_its_tables_without_a_word",
    "cases.test_channels:test_a_post_that_somebody_deletes_comes_back",
    "cases.test_audit_storage:test_b91_an_outage_gives_everybody_the_time_back_and_says_so_in_the_post",
    "cogs.test_admin:test_b47_a_table_is_ended_although_its_channel_is_gone",
    # What is stored of people, and how the bot is.
    "cogs.test_privacy:test_the_export_is_one_private_file_with_all_of_ones_own",
    "cogs.test_status:test_posts_that_wait_are_told_with_their_age",
)

MORE_FLOWS = (
    "cogs.test_commands:test_the_record_of_a_finished_game_can_be_taken_and_of_no_other",
    "cogs.test_last_deal:test_the_host_calls_the_last_deal_from_the_question_about_the_end",
    "cogs.test_fair:test_the_score_sheet_tells_seed_and_cuts_and_verify_proves_the_deal",
    "cogs.test_away:test_b62_who_comes_back_after_two_days_reads_what_was_played_meanwhile",
    "cogs.test_claiming:test_one_press_each_ends_the_deal_and_the_sheet_says_how_much_was_not_played",
)
"""Whole deals, which take long and ask the store for little else."""


@pytest.fixture(autouse=True)
def server() -> Iterator[None]:
    with on_postgres():
        yield


@pytest.mark.parametrize("flow", times(FLOWS, FLOWS + MORE_FLOWS))
async def test_the_flow_is_the_same_on_postgresql(flow: str):
    await resolve_name(f"tests.{flow}")()


@pytest.mark.kill
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGKILL])
async def test_while_the_server_is_away_a_press_is_answered_kindly_and_counts_when_repeated(
    way: signal.Signals,
):
    async with discord_world() as world:
        ann, bea = world.person("Ann"), world.person("Bea")
        await world.slash(ann, "hearts start")
        join = ids.Join(await world.table_id())
        post = world.newest_with(join)
        cluster().stop(way)
        refused = await bea.click(post, custom_id=ids.write(join))
        cluster().start()
        assert refused.ephemeral
        assert "try again in a moment" in text_of(refused.response)
        assert "Bea" not in text_of(world.newest_with(join))
        await world.press(bea, world.newest_with(join), join)
        assert "Bea" in text_of(world.newest_with(join))
