"""Presets by family, and by any of their names."""

import pytest

from bot.rules import families, variants


def test_every_preset_is_in_exactly_one_family():
    listed = [preset for family in families.families() for preset in family.presets]
    assert sorted(listed) == sorted(variants.names())
    assert all(family.presets for family in families.families())
    assert len({family.id for family in families.families()}) == len(families.families())


def test_a_preset_without_a_family_is_among_the_others(monkeypatch):
    names = variants.names()
    monkeypatch.setattr(families.variants, "names", lambda: (*names, "brand_new"))
    assert families.families()[-1].presets == ("brand_new",)


@pytest.mark.parametrize("preset", variants.names())
def test_a_preset_is_found_by_each_of_its_names(preset):
    for name in families.names_of(preset):
        assert families.find(f" {name.upper()} ") == preset


def test_greek_hearts_is_another_name_of_spot():
    """rules.md 4.1."""
    assert families.find("greek hearts") == "spot"
    assert families.find("hearts of stone") is None


@pytest.mark.parametrize("title", families.UNKNOWN_TITLES)
def test_games_without_known_rules_are_no_presets(title):
    """rules.md 0: nothing is invented."""
    assert families.find(title) is None
