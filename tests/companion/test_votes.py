"""The verifier holds what was taken back against the votes in the log."""

import json

import pytest

from companion.evidence import Evidence
from companion.export import Album, account, write
from companion.log import Log
from companion.verifier import verify
from companion.verifier.chain import Line
from companion.verifier.report import Report
from companion.verifier.votes import Votes
from tests.companion.games import Evening, table_with_witness

SEATED = [*(("sit", {"seat": seat, "name": "x"}) for seat in (0, 2, 3)), ("begin", {})]
BEGUN = len(SEATED)
ACT = ("act", {"cause": "phone", "action": {}})
OPENED = ("act", {"cause": "opening", "action": {}})
HIDDEN = (None, None)


def propose(by, number, action=None):
    return ("propose", {"by": by, "number": number, "action": action})


def vote(by, rewind=True):
    return ("vote", {"by": by, "rewind": rewind})


def rewind(to, by=None, seen=False):
    return ("rewind", {"to": to} if by is None else {"to": to, "by": by, "seen": seen})


def keep(withdrawn=False):
    return ("keep", {"withdrawn": withdrawn})


def checked(*played):
    """What is said of this game of three seats."""
    report = Report()
    lines = []
    for seq, (kind, body) in enumerate([*SEATED, *played], start=1):
        fields = None if kind is None else {"kind": kind, "body": json.dumps(body)}
        lines.append(Line(seq, "", fields))
    Votes(BEGUN, report).run(lines)
    return report


@pytest.mark.parametrize(
    "played",
    [
        (ACT, ACT, propose(1, 0), vote(0), rewind(0, 1), ACT),
        (ACT, ACT, propose(1, 1), vote(0), vote(2), rewind(1, 1, seen=True)),
        (ACT, propose(1, 0), vote(0, False), vote(0), rewind(0, 1)),  # it changed its mind
        (ACT, propose(1, 0), vote(0, False), vote(2, False), keep(), ACT),
        (ACT, propose(1, 0), keep(withdrawn=True), propose(0, 0), vote(2), rewind(0, 0)),
        (ACT, ("opening", {}), OPENED, OPENED, ACT, propose(2, 2), vote(0), vote(1), rewind(1, 2, seen=True)),
        (ACT, propose(1, 0), vote(0), rewind(0, 1), ACT, propose(1, 1), vote(0), rewind(0, 1)),  # numbers go on
        (ACT, HIDDEN, vote(0), rewind(1, 1)),  # the proposal is withheld
        (HIDDEN, ACT, propose(1, 1), vote(0), rewind(1, 1)),
        (ACT, HIDDEN, keep()),
        (ACT, HIDDEN, vote(2), keep()),
        (ACT, propose(1, 0, {"by": 0}), vote(0), keep(), ACT),  # that seat, as it turned out, could not have done it
        (ACT, ("propose", {"by": 1, "number": 0, "binding": ""}), vote(0), keep()),
    ],
)
def test_what_enough_are_for_is_right(played):
    assert checked(*played).problems == []


@pytest.mark.parametrize(
    ("played", "why"),
    [
        ((ACT, propose(1, 0), rewind(0, 1)), "1 of 3 seats were for it, and 2 had to be"),
        ((ACT, propose(1, 0), vote(0), rewind(0, 1, seen=True)), "2 of 3 seats were for it, and 3 had to be"),
        ((ACT, propose(1, 0), vote(0), vote(0, False), rewind(0, 1)), "1 of 3"),
        ((ACT, propose(1, 0), vote(1), rewind(0, 1)), "1 of 3"),  # twice the same
        ((ACT, rewind(0, 1)), "nobody had proposed"),
        ((ACT, propose(1, 0), vote(0), keep(True), rewind(0, 1)), "nobody had proposed"),
        ((ACT, propose(1, 0), vote(0), rewind(0, 1), ACT, rewind(0, 1)), "nobody had proposed"),
        ((ACT, ACT, propose(1, 1), vote(0), rewind(0, 1)), "something else than was proposed"),
        ((ACT, propose(1, 0), vote(0), rewind(0, 2)), "something else than was proposed"),
        ((ACT, ("opening", {}), OPENED, OPENED, propose(1, 2), vote(0), rewind(2, 1)), "something else"),
        ((ACT, propose(1, 4), vote(0)), "no action that stands"),
        ((ACT, propose(1, 0), propose(2, 0)), "another proposal is open"),
        ((ACT, vote(0)), "a vote on nothing"),
        ((ACT, propose(1, 0), vote(3)), "by nobody at the table"),
        ((ACT, propose(1, 0), vote(0), keep()), "nobody was against"),
        ((ACT, keep()), "none was open"),
        ((ACT, HIDDEN, rewind(0, 1)), "1 of 3"),
        ((HIDDEN, ACT, propose(1, 1), rewind(1, 1)), "1 of 3"),
    ],
)
def test_what_too_few_are_for_is_told(played, why):
    (problem,) = checked(*played).problems
    assert problem.check == "votes"
    assert why in problem.message


def test_answers_to_the_camera_are_nobodys_to_vote_on_but_counted():
    report = checked(ACT, rewind(0), ACT, ACT, rewind(1), ACT)
    assert report.problems == []
    assert ["2 times" in note for note in report.notes] == [True]
    assert checked(ACT, rewind(0)).notes[0].startswith("Once")
    assert checked(ACT).notes == []


def test_an_earlier_game_of_the_table_is_not_looked_at_again():
    report = Report()
    first = [("sit", {"seat": 0, "name": "x"}), ("sit", {"seat": 1, "name": "x"}), ("begin", {}), ACT, rewind(0, 1)]
    second = [("again", {}), ("begin", {}), ACT, propose(0, 0), vote(1), rewind(0, 0)]
    entries = enumerate([*first, *second], start=1)
    lines = [Line(seq, "", {"kind": kind, "body": json.dumps(body)}) for seq, (kind, body) in entries]
    Votes(len(first) + 2, report).run(lines)
    assert report.problems == []


# --- whole games -----------------------------------------------------------------------------------------------------


def finished(folder, meddle):
    """What the verifier says of a finished game into whose log `meddle` wrote in between."""
    table = table_with_witness(folder, "maori")
    evening = Evening.begin(table, 3)
    evening.play(6)
    meddle(table, evening)
    evening.play(2000)
    assert table.evening.over
    table.close()
    with Log(folder / "companion.db", "oak", read_only=True) as log:
        write(folder / "out.zip", account(log.entries()), Album(Evidence(folder / "evidence")))
    return verify(folder / "out.zip")


def other(table, index):
    """Another legal action in place of the one at this index."""
    one, game = table.evening.played[index], table.evening.game
    return next(a for a in game.legal(one.before, one.action.by) if a != one.action)


def sail(table):
    """The index of the newest action by a seat."""
    return max(i for i, one in enumerate(table.evening.played) if one.action.do == "sail")


def agreed(table, evening):
    index = sail(table)
    one = table.evening.played[index]
    evening.dealer = None
    assert table.propose(evening.tokens[one.action.by], one.number, other(table, index).data(), "en")["proposed"]
    for token in evening.tokens:
        if table.evening.proposal is not None:
            table.vote(token, table.evening.proposal.id, True)
    assert table.evening.played[index].action != one.action


def test_what_a_table_decided_together_is_right(tmp_path):
    report = finished(tmp_path, agreed)
    assert report.ok, report.problems


def test_a_rewind_that_one_seat_wrote_alone_is_found(tmp_path):
    def alone(table, evening):
        index = sail(table)
        table._write(("propose", {"by": 0, "number": table.evening.played[index].number, "action": None}))
        table._write(("rewind", {"to": index, "by": 0, "seen": True}))
        evening.dealer = None

    assert [p.check for p in finished(tmp_path, alone).problems] == ["votes"]


def test_a_rewind_that_denies_what_had_come_to_light_is_found(tmp_path):
    def denied(table, evening):
        index = max(i for i, one in enumerate(table.evening.played) if one.action.do == "refill")
        number = table.evening.played[index].number
        table._write(("propose", {"by": 0, "number": number, "action": None}), ("vote", {"by": 1, "rewind": True}))
        table._write(("rewind", {"to": index, "by": 0, "seen": False}))
        evening.dealer = None

    problems = finished(tmp_path, denied).problems
    assert [p.check for p in problems] == ["votes"]
    assert "come to light" in problems[0].message


def test_something_else_than_was_voted_for_is_found(tmp_path):
    def otherwise(table, evening):
        index = sail(table)
        one, instead = table.evening.played[index], other(table, index)
        table._write(("propose", {"by": 0, "number": one.number, "action": instead.data()}))
        table._write(("vote", {"by": 1, "rewind": True}), ("vote", {"by": 2, "rewind": True}))
        back = ("rewind", {"to": index, "by": 0, "seen": True})
        table._write(back, ("act", {"cause": "answer", "action": one.action.data()}))
        evening.dealer = None

    problems = finished(tmp_path, otherwise).problems
    assert [p.check for p in problems] == ["votes"]
    assert "not what was voted for" in problems[0].message


def test_a_rewind_after_which_nothing_of_what_was_voted_for_is_played_is_found(tmp_path):
    def nothing(table, evening):
        index = sail(table)
        one, instead = table.evening.played[index], other(table, index)
        table._write(("propose", {"by": 0, "number": one.number, "action": instead.data()}))
        table._write(("vote", {"by": 1, "rewind": True}), ("vote", {"by": 2, "rewind": True}))
        table._write(("rewind", {"to": index, "by": 0, "seen": True}), ("keep", {"withdrawn": True}))
        evening.dealer = None

    assert "what was voted for is not played" in " ".join(p.message for p in finished(tmp_path, nothing).problems)
