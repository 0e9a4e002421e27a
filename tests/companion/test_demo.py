"""The demonstration in small: rendered frames, the real eyes, the real table, people who play."""

import json

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.demo import stage
from companion.demo.stage import build
from companion.games.game import game

ENOUGH = 4  # conditions, goals, and two exchanges


class EnoughSeen(Exception):
    """The audience leaves."""


@pytest.fixture
def short(monkeypatch):
    """A show that ends after a few things people did."""

    def leave_early(show, most=ENOUGH):
        carry_out, done = show._carry_out, []

        def counted(actions, known=False):
            carry_out(actions, known)
            done.append(actions)
            if len(done) == most:
                raise EnoughSeen

        monkeypatch.setattr(show, "_carry_out", counted)
        with pytest.raises(EnoughSeen):
            show.play()

    return leave_early


def test_what_people_do_at_a_rendered_table_is_what_the_companion_knows(tmp_path, short):
    show = build(game("fiji"), 3, 11, tmp_path)
    short(show)
    tally = show.tally
    assert (tally.states_true, tally.states_read) == (ENOUGH, ENOUGH)
    assert (tally.silent_differences, tally.entered_by_hand) == (0, 0)
    assert show.report.looks > 0
    played = [one.action.do for one in show.table.evening.played]
    assert played[:2] == ["lay_conditions", "lay_goals"]
    show.table.close()


def test_a_person_takes_over_a_seat_and_gives_it_back(tmp_path, short):
    show = build(game("fiji"), 3, 12, tmp_path)
    short(show, most=1)
    bots_token = show._people[1].token
    token = show.take_over(1)
    assert show.status()["bots"] == [0, 2]
    assert (show.table.seat_of(bots_token), show.table.seat_of(token)) == (None, 1)
    show.give_back(token)
    assert show.status()["bots"] == [0, 1, 2]
    assert show.table.seat_of(token) is None
    show.table.close()


def test_the_report_is_one_object_and_says_no_when_something_was_missed(monkeypatch):
    report = {"game": "fiji", "states_true": 3, "states_read": 3, "silent_differences": 0}
    monkeypatch.setattr(stage, "headless", lambda *_: report)
    result = CliRunner().invoke(main, ["demo", "fiji", "--headless", "--json"])
    assert (result.exit_code, json.loads(result.stdout)) == (0, report)
    monkeypatch.setattr(stage, "headless", lambda *_: {**report, "silent_differences": 1})
    assert CliRunner().invoke(main, ["demo", "fiji", "--headless"]).exit_code == 1
