"""The registry of acts: a name is declared once, and what is public of an act."""

import pytest

from tournament.core.acts import Act, Seals, Shown, find_act, list_acts
from tournament.settings.trail import TOPICS


def test_an_act_cannot_be_declared_twice() -> None:
    known = find_act("hand_entered")
    with pytest.raises(ValueError, match="hand_entered"):
        Act("hand_entered", "entered a hand")
    assert find_act("hand_entered") is known


def test_an_act_that_moves_no_standing_is_public_only_where_its_details_say_so() -> None:
    quiet = [act for act in list_acts() if act.seals in (Seals.OWN, Seals.SHEET) and act.place is Shown.PUBLIC]
    assert quiet
    assert [act.name for act in quiet if not act.shown_where] == []


def test_an_act_is_of_the_topic_of_the_feature_that_declares_it() -> None:
    declaring = {act.feature for act in list_acts()}
    topics = {feature: topic for topic, (_label, features) in TOPICS.items() for feature in features}
    assert topics.keys() <= declaring
    topic_of = {act.name: topics.get(act.feature, "settings") for act in list_acts()}
    asked = ("table_time_given", "seat_said_yes", "schedule_taken", "player_renamed", "rules_changed")
    assert [topic_of[name] for name in asked] == ["rounds", "sheets", "seats", "players", "settings"]
