"""Disputes: rules and rulings, what happened, corrections that people vote on, and what none of it may tell."""

import itertools
import json
import random
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import dispute
from companion.corrections import alternatives, came_to_light
from companion.corrections import told as corrections_told
from companion.evening import Evening
from companion.games.game import games
from companion.games.rapa_nui.cards import CARDS
from companion.games.rulebook import LANGUAGES
from companion.log import Log
from companion.sentences import texts
from companion.table import Table
from tests.companion.tables import GOALS, ROWS, laid_out, open_table, seal, seated
from web.port import Refused

CHOICE = [{"condition": {"colours": ["red"], "wins": "most"}, "effect": {"kind": "rotate_goal"}}, *ROWS[1:]]
TURN = {"do": "rotate_goal", "position": 2}


@pytest.fixture
def table(tmp_path):
    table = open_table(tmp_path)
    yield table
    table.close()


def chosen(table, count=3):
    """Seat 0 has won the first row and turned goal 2; the tokens, and the number of that action."""
    tokens = seated(table, count)
    laid_out(table, tokens[0], CHOICE)
    bids = ({"red": 2}, {"green": 1}, {"blue": 1}, {"yellow": 1})
    for token, beads in zip(tokens, bids, strict=False):
        seal(table, token, **beads)
    assert table.act(tokens[0], TURN, "en")["legal"]
    return tokens, table.history(None, "en")[0]["number"]


def everything(table, viewer, lang="en"):
    """All that a viewer can get to see of a table, as one text."""
    history = table.history(viewer, lang)
    numbers = [entry["number"] for entry in history if entry["kind"] == "act"]
    explained = [table.explain(viewer, number, lang) for number in numbers]
    view = {**table.view(viewer, lang), "log_head": "", "version": 0}
    asked = [table.ask(viewer, {**action, "by": by}, lang) for by, action in asks(table)]
    return json.dumps([view, history, explained, asked], sort_keys=True)


def asks(table):
    """What anybody may ask about."""
    actions = [TURN, {"do": "swap_goals", "positions": [1, 2]}, {"do": "keep_bid", "keep": True}]
    yield from ((by, action) for by in range(len(table.evening.seats)) for action in actions)
    yield "table", {"do": "lay_goals", "goals": GOALS}


# --- rules


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", games())
def test_every_rule_is_found_by_its_own_words_and_by_its_id(name, lang):
    texts = games()[name].rulebook.texts(lang)
    for id_, rule in texts.rules.items():
        assert id_ in [found["id"] for found in dispute.search(name, rule.text, lang)][:5]
        assert dispute.search(name, id_, lang)[0]["id"] == id_


@pytest.mark.parametrize(
    ("query", "lang", "rule"),
    [
        ("equal bids cancel", "en", "FJ-4b4"),
        ("eqaul bids cancell", "en", "FJ-4b4"),
        ("suply rounded", "en", "FJ-X2"),
        ("aufgerunded hälfte", "de", "FJ-X2"),
        ("helft voorraad afgerond", "nl", "FJ-X2"),
        ("fj-4b4", "en", "FJ-4b4"),
    ],
)
def test_typing_errors_are_forgiven(query, lang, rule):
    assert rule in [found["id"] for found in dispute.search("fiji", query, lang)][:3]


@pytest.mark.parametrize(("query", "lang", "rule"), [("bdi", "en", "FJ-4a1"), ("kep bdi", "en", "FJ-4b5")])
def test_typing_errors_are_forgiven_in_short_words(query, lang, rule):
    assert rule in [found["id"] for found in dispute.search("fiji", query, lang)]


def test_an_empty_search_shows_the_whole_book_in_its_order():
    assert [rule["id"] for rule in dispute.search("fiji", " – ", "de")] == games()["fiji"].rulebook.ids()


def test_nonsense_finds_nothing():
    assert dispute.search("fiji", "qqqq zzzzzz", "en") == []


@given(st.text(max_size=60))
def test_any_text_may_be_searched_for(query):
    assert {rule["id"] for rule in dispute.search("fiji", query, "nl")} <= set(games()["fiji"].rulebook.ids())


def test_a_rule_has_its_neighbours(table):
    near = [rule["id"] for rule in table.rule("FJ-X5", "nl")["neighbours"]]
    assert {"FJ-X4", "FJ-X6", "FJ-X1"} <= set(near)
    assert "FJ-X5" not in near
    with pytest.raises(Refused, match="no_rule"):
        table.rule("FJ-99", "en")


# --- is this allowed?


def test_of_anothers_bid_one_learns_what_the_rules_say_but_not_what_that_seat_holds(table):
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    own = table.ask(0, {"do": "bid", "beads": {"blue": 3}}, "en")
    assert (own["legal"], own["rule"]) == (False, "FJ-4a1")
    assert "Hedwig" in own["because"]
    assert own["source"]["heading"]
    assert own["supposed"] is False
    for viewer in (1, None):
        other = table.ask(viewer, {"by": 0, "do": "bid", "beads": {"blue": 3}}, "en")
        assert (other["legal"], other["supposed"]) == (True, True)
        five = table.ask(viewer, {"by": 0, "do": "bid", "beads": {"blue": 5}}, "en")
        assert (five["legal"], five["rule"]) == (False, "FJ-4a1")


def test_anybody_may_ask_about_what_lies_open(table):
    chosen(table)
    for viewer in (0, 1, None):
        ruling = table.ask(viewer, {"by": 1, **TURN}, "de")
        assert not ruling["legal"]
        assert ruling["neighbours"]


@pytest.mark.parametrize("name", games())
def test_what_anybody_may_ask_about_is_never_a_secret_deed(name):
    assert not games()[name].asked & games()[name].secret


# --- what happened


def test_history_tells_who_did_what_and_why_it_is_known(table):
    chosen(table)
    newest, *rest = table.history(1, "en")
    assert (newest["who"], newest["text"], newest["cause"]) == ("Hedwig", "Turn goal 2", "phone")
    assert newest["effects"][0]["rule"] == "FJ-X5"
    assert [entry["cause"] for entry in rest] == ["opening"] * 3 + ["phone"] * 2
    assert rest[-1]["seat"] is None
    assert datetime.fromisoformat(newest["at"]).tzinfo is UTC


def test_what_was_open_for_a_moment_is_told_only_at_that_moment(table):
    tokens, _ = chosen(table)
    assert "Bid 2 red" in everything(table, None)
    seal(table, tokens[1], green=1)
    told = everything(table, 0)
    assert "Bid 2 red" not in told
    assert "Bid 1" not in told
    bid = next(entry for entry in table.history(0, "en") if entry["cause"] == "opening")
    assert table.explain(0, bid["number"], "en")["ruling"] is None


def test_when_the_game_is_over_all_is_told(tmp_path):
    table = open_table(tmp_path)
    tokens = seated(table, 2)
    while not table.evening.over:
        deed = table.evening.secret_deed()
        if deed is None:
            laid_out(table, tokens[0], ROWS)
            continue
        for token in tokens:
            seal(table, token, **({"green": 4} if deed == "set_aside" else {"red": 1}))
    told = [entry["text"] for entry in table.history(None, "en")]
    assert told.count("Set 4 green aside") == 8
    assert told.count("Bid 1 red") == 24
    table.close()


# --- corrections


def test_most_of_the_seats_take_an_action_back(table):
    tokens, number = chosen(table)
    assert table.propose(tokens[1], number, None, "en") == {"proposed": True}
    asked = table.view(2, "en")["proposal"]
    assert (asked["by"], asked["was"], asked["votes"], asked["needed"]) == (1, "Turn goal 2", [None, True, None], 2)
    assert table.view(None, "en")["state"]["goals"][1]["wins"] == "most"
    table.vote(tokens[2], asked["id"], True)
    view = table.view(None, "en")
    assert view["proposal"] is None
    assert view["state"]["goals"] == GOALS
    assert view["back"].startswith("Taken back.")
    assert [c["action"]["position"] for c in table.view(0, "en")["choices"]] == [1, 2, 3, 4]
    rewound, turned = table.history(None, "en")[:2]
    assert (rewound["kind"], rewound["who"], turned["standing"]) == ("rewind", "Christian", False)


def test_what_really_happened_takes_the_place_of_what_did_not(table):
    tokens, number = chosen(table)
    instead = table.explain(1, number, "en")["instead"]
    assert [other["action"]["position"] for other in instead] == [1, 3, 4]
    assert table.try_instead(1, number, instead[0]["action"], "en")["legal"]
    table.propose(tokens[1], number, {"do": "rotate_goal", "position": 3}, "en")
    assert table.view(0, "en")["proposal"]["instead"] == "Turn goal 3"
    before = table.evening.head
    table.vote(tokens[0], table.view(0, "en")["proposal"]["id"], True)
    goals = table.view(None, "en")["state"]["goals"]
    assert goals[1] == GOALS[1]
    assert goals[2]["wins"] == "fewest"
    assert table.evening.head != before
    assert [one["kind"] for one in table.history(0, "en")[:3]] == ["act", "rewind", "act"]


def test_what_cannot_have_happened_is_answered_with_its_ruling(table):
    tokens, number = chosen(table)
    ruling = table.propose(tokens[1], number, {"do": "swap_goals", "positions": [1, 2]}, "en")
    assert not ruling["legal"]
    assert table.view(0, "en")["proposal"] is None


def test_a_proposal_is_voted_down_or_withdrawn(table):
    tokens, number = chosen(table)
    table.propose(tokens[1], number, None, "en")
    with pytest.raises(Refused, match="proposal_open"):
        table.propose(tokens[2], number, None, "en")
    first = table.view(0, "en")["proposal"]["id"]
    with pytest.raises(Refused, match="not_now"):
        table.withdraw(tokens[0], first)
    table.withdraw(tokens[1], first)
    assert table.view(0, "en")["proposal"] is None
    table.propose(tokens[1], number, None, "en")
    second = table.view(0, "en")["proposal"]["id"]
    with pytest.raises(Refused, match="stale"):
        table.vote(tokens[0], first, True)
    table.vote(tokens[0], second, False)
    table.vote(tokens[2], second, False)
    assert table.view(0, "en")["proposal"] is None
    assert table.view(0, "en")["state"]["goals"][1]["wins"] == "most"


def test_one_sleeping_phone_stops_nobody_and_one_vote_moves_nothing(table):
    tokens, number = chosen(table, 4)
    table.propose(tokens[0], number, None, "en")
    id_ = table.view(0, "en")["proposal"]["id"]
    table.vote(tokens[0], id_, True)  # once more counts once
    table.vote(tokens[1], id_, True)
    assert table.view(3, "en")["proposal"]["needed"] == 3
    table.vote(tokens[2], id_, True)
    assert table.view(3, "en")["proposal"] is None
    assert table.view(3, "en")["state"]["goals"] == GOALS


def test_once_something_came_to_light_all_must_agree(table):
    tokens, number = chosen(table)
    for token, beads in zip(tokens, ({"red": 1}, {"green": 1}, {"yellow": 1}), strict=True):
        seal(table, token, **beads)  # the second exchange is open now
    table.propose(tokens[0], number, None, "en")
    asked = table.view(0, "en")["proposal"]
    assert asked["unanimous"]
    assert asked["needed"] == 3
    table.vote(tokens[1], asked["id"], True)
    assert table.view(0, "en")["proposal"] is not None
    table.vote(tokens[2], asked["id"], True)
    view = table.view(None, "en")
    assert "stays seen" in view["back"]
    assert view["state"]["exchange"] == 1
    told = everything(table, None)
    assert "Bid 1 yellow" not in told


def test_misread_cards_are_corrected_by_most_and_newer_cards_need_all(table):
    tokens = seated(table, 3)
    assert table.act(tokens[0], {"do": "lay_conditions", "rows": ROWS}, "en")["legal"]
    table.propose(tokens[0], 0, {"do": "lay_conditions", "rows": CHOICE}, "en")
    assert table.view(0, "en")["proposal"]["needed"] == 2
    table.vote(tokens[1], table.view(1, "en")["proposal"]["id"], True)
    assert table.view(0, "en")["state"]["rows"] == CHOICE
    assert table.act(tokens[0], {"do": "lay_goals", "goals": GOALS}, "en")["legal"]
    table.propose(tokens[0], 1, {"do": "lay_conditions", "rows": ROWS}, "en")
    assert table.view(0, "en")["proposal"]["needed"] == 3


def test_a_bid_can_be_taken_back_with_all_others_and_never_replaced(table):
    tokens, _ = chosen(table)
    bids = [entry["number"] for entry in table.history(None, "en") if entry["cause"] == "opening"]
    with pytest.raises(Refused, match="sealed_deed"):
        table.propose(tokens[0], bids[0], {"do": "bid", "beads": {"green": 1}}, "en")
    assert table.explain(0, bids[0], "en")["instead"] == []
    table.propose(tokens[0], bids[0], None, "en")  # the newest of them: all three go back
    for token in tokens[1:]:
        table.vote(token, table.view(0, "en")["proposal"]["id"], True)
    view = table.view(None, "en")
    assert view["to_act"] == [0, 1, 2]
    assert view["state"]["bids"] == [None] * 3
    assert view["openings"] == []
    assert "Bid 2 red" not in everything(table, 0)
    assert [table.view(seat, "en")["own_seal"] for seat in range(3)] == [None] * 3


def test_a_sealed_bid_is_dropped_unseen_by_a_rewind(table):
    tokens, number = chosen(table)
    seal(table, tokens[1], blue=1, red=1)
    table.propose(tokens[0], number, None, "en")
    table.vote(tokens[2], table.view(0, "en")["proposal"]["id"], True)
    for viewer in (0, 1, 2, None):
        assert table.view(viewer, "en")["own_seal"] is None
        assert "1 red and 1 blue" not in everything(table, viewer)


def test_proposals_and_votes_outlive_a_crash(tmp_path):
    table = open_table(tmp_path)
    tokens, number = chosen(table, 4)
    table.propose(tokens[0], number, {"do": "rotate_goal", "position": 1}, "en")
    table.vote(tokens[1], table.view(0, "en")["proposal"]["id"], True)
    before = [everything(table, viewer) for viewer in (0, 3, None)]
    table.close()
    again = open_table(tmp_path)
    assert [everything(again, viewer) for viewer in (0, 3, None)] == before
    again.vote(tokens[2], again.view(0, "en")["proposal"]["id"], True)
    assert again.view(0, "en")["state"]["goals"][0]["wins"] == "fewest"
    again.close()


def test_a_crash_after_the_last_vote_stops_no_rewind(tmp_path, monkeypatch):
    table = open_table(tmp_path)
    tokens, number = chosen(table)
    table.propose(tokens[0], number, None, "en")
    monkeypatch.setattr(Table, "_settle_proposal", lambda *_: None)  # here the power goes
    table.vote(tokens[1], table.view(0, "en")["proposal"]["id"], True)
    assert table.view(0, "en")["proposal"]["votes"] == [True, True, None]
    table.close()
    monkeypatch.undo()
    again = open_table(tmp_path)
    assert again.view(0, "en")["proposal"] is None
    assert again.view(0, "en")["state"]["goals"] == GOALS
    again.close()


def test_nobody_learns_a_hand_by_asking_or_by_correcting(tmp_path):
    """In Rapa Nui whether a play is allowed tells which cards that seat holds."""
    table = open_table(tmp_path, "rapa-nui")
    tokens = seated(table, 3)
    rng = random.Random(3)
    game, dealer = table.evening.game, table.evening.game.dealer(rng)
    while True:
        by = game.to_act(table.evening.state)[0]
        action = dealer.act(table.evening.state) if by == "table" else game.sample(table.evening.state, by, rng)
        if action.do == "play":
            asked = [
                table.ask(None, {"by": by, "do": "play", "cards": [card]}, "en")
                for card in ("hunter-fish", "hunter-mulberry", "hunter-sweet-potato", "hunter-grain")
            ]
            assert all(answer["legal"] and answer["supposed"] for answer in asked)
        assert table.act(tokens[by if isinstance(by, int) else 0], action.data() | {}, "en")["legal"]
        if action.do == "play":
            break
    number = table.history(None, "en")[0]["number"]
    play = {"do": "play", "cards": ["hunter-fish"]}
    other = (by + 1) % 3
    for viewer in (other, None):
        assert table.ask(viewer, {"by": by, **play}, "en")["supposed"]
    held = table.evening.played[-1].before.hands[by]
    plays = [{"do": "play", "cards": [card]} for card in CARDS]
    lacking = next(play for play, count in zip(plays, held, strict=True) if not count)
    assert all(table.try_instead(other, number, each, "en")["supposed"] for each in plays)
    assert table.try_instead(other, number, lacking, "en")["legal"]
    shown = table.explain(other, number, "en")["instead"]
    assert all(set(each["action"].get("cards", [])) <= set(action.data()["cards"]) for each in shown)
    assert not table.try_instead(by, number, lacking, "en")["legal"]
    said = table.propose(tokens[other], number, lacking, "en")
    proposal = table.view(other, "en")["proposal"]
    assert (said, proposal["needed"], proposal["unanimous"]) == ({"proposed": True}, 3, True)
    for seat in {0, 1, 2} - {other}:
        table.vote(tokens[seat], proposal["id"], True)
    assert table.evening.index(number) is not None  # it cannot have been: everything stays
    assert table.view(other, "en")["proposal"] is None
    table.close()


def test_a_proposal_lapses_with_the_action_it_is_about(table):
    tokens, number = chosen(table)
    table.propose(tokens[0], number, None, "en")
    index = table.evening.index(number)
    table._write(("rewind", {"to": index}))
    assert table.view(0, "en")["proposal"] is None


def test_what_a_vote_took_back_is_not_played_again_from_the_table_unasked(table):
    from tests.companion.sights import sight

    tokens, number = chosen(table)
    turned = sight(table.tabletop.lay(table.evening.state))
    table.propose(tokens[0], number, None, "en")
    table.vote(tokens[2], table.view(0, "en")["proposal"]["id"], True)
    for _ in range(6):
        table.observed(turned)
    assert table.evening.index(number) is None
    assert len(table.evening.played) == 5
    assert "taken back just now" in table.view(0, "en")["questions"][0]["text"]


# --- nobody sees what they may not know


def clocked(folder, name):
    ticks = itertools.count()
    folder.mkdir(exist_ok=True)
    log = Log(folder / f"{name}.db", "oak", clock=lambda: datetime.fromtimestamp(next(ticks), UTC))
    return Table(log, "fiji")


FOURS = st.dictionaries(st.sampled_from(["green", "red", "yellow"]), st.integers(1, 2), min_size=2).filter(
    lambda bag: sum(bag.values()) == 4
)
counter = itertools.count()


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(FOURS, FOURS)
def test_what_is_set_aside_changes_nothing_that_others_can_look_up(tmp_path, one, other):
    """Two evenings that differ in what seat 0 hides, through a vote and a rewind: the same to seat 1 and to the TV."""
    told = []
    for hidden in (one, other):
        table = clocked(tmp_path, f"log{next(counter)}")
        tokens = seated(table, 2)
        laid_out(table, tokens[0])
        seal(table, tokens[0], **hidden)
        seal(table, tokens[1], green=2, red=2)
        seen = [everything(table, viewer) for viewer in (1, None)]
        for token in tokens:
            seal(table, token, blue=1)
        seen += [everything(table, viewer) for viewer in (1, None)]
        aside = next(e["number"] for e in table.history(1, "en") if e["kind"] == "act" and "aside" in e["text"])
        table.propose(tokens[1], aside, None, "en")
        seen += [everything(table, viewer) for viewer in (1, None)]
        table.vote(tokens[0], table.view(0, "en")["proposal"]["id"], True)
        seen += [everything(table, viewer) for viewer in (1, None)]
        told.append([without_seals(text) for text in seen])
        table.close()
    assert told[0] == told[1]


def without_seals(text):
    """Openings and commitments hold fresh salts; what they say besides stands in the state as well."""
    view, *rest = json.loads(text)
    plain = {**view, "commitments": [], "openings": [{**one, "salt": "", "commitment": ""} for one in view["openings"]]}
    return json.dumps([plain, *rest], sort_keys=True)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.permutations([{"red": 2, "yellow": 1}, {"red": 2, "green": 1}, {"red": 2, "blue": 1}]))
def test_who_bid_what_in_an_exchange_that_is_over_can_no_longer_be_looked_up(tmp_path, bids):
    """The same beads in other hands, and nobody wins: once the next bid is sealed, history and disputes are alike."""
    rows = [{"condition": {"colours": ["red"], "wins": "most"}, "effect": {"kind": "gain", "colour": "blue"}}] * 4
    table = clocked(tmp_path, f"log{next(counter)}")
    tokens = seated(table, 3)
    laid_out(table, tokens[0], rows)
    for token, beads in zip(tokens, bids, strict=True):
        seal(table, token, **beads)
    seal(table, tokens[2], red=1)
    told = [without_seals(everything(table, None))]
    table.propose(tokens[0], 1, None, "en")
    told.append(without_seals(everything(table, None)))
    for token in tokens[1:]:
        table.vote(token, table.view(0, "en")["proposal"]["id"], True)
    told.append(without_seals(everything(table, None)))
    table.close()
    assert told == EXPECTED.setdefault("told", told)


EXPECTED: dict[str, list[str]] = {}


def test_an_answer_to_a_vote_counts_the_things_that_came_out(table):
    tokens, number = chosen(table)
    at = table.evening.index(number)
    assert not came_to_light(table.evening, at, None)
    seal(table, tokens[1], red=1)
    assert not came_to_light(table.evening, at, None)  # a sealed bid is seen by nobody


# --- all games


def played_at_random(game, seed, actions):
    """The fold of a random game's beginning, with a rewind and an open proposal in it."""
    rng = random.Random(seed)
    evening = Evening()
    evening.take("open", {"game": game.name, "options": {}}, None, "")
    players = game.seats.start
    for seat in range(players):
        evening.take("sit", {"seat": seat, "name": f"Player {seat}", "token_hash": ""}, None, "")
    evening.take("begin", {}, None, "")
    dealer = game.dealer(rng)
    for count in range(actions):
        actors = game.to_act(evening.state)
        if not actors:
            break
        by = actors[0]
        action = dealer.act(evening.state) if by == "table" else game.sample(evening.state, by, rng)
        cause = "opening" if action.do in game.secret else "phone"
        last = evening.played[-1] if evening.played else None
        if cause == "opening" and (last is None or last.action.do != action.do or last.action.by >= by):
            evening.take("opening", {}, None, "")
        evening.take("act", {"cause": cause, "action": action.data()}, None, "", f"2026-01-01T00:00:{count:02}Z")
    number = evening.played[-1].number
    evening.take("rewind", {"to": len(evening.played) - 1, "by": 0, "seen": True}, None, "")
    evening.take("propose", {"by": 1, "number": evening.played[-1].number, "action": None}, None, "")
    return evening, number


@pytest.mark.quick(6)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", games())
def test_the_history_of_every_game_can_be_told_and_disputed(name, lang):
    game = games()[name]
    evening, number = played_at_random(game, 7, 45)
    said = texts(lang, name)
    for viewer in (None, *range(len(evening.seats))):
        told = dispute.history(evening, viewer, said)
        assert [entry["number"] for entry in told if entry["kind"] == "act"] == [*range(number, -1, -1)]
        for one in evening.played:
            ruling = dispute.judgement(evening, one, viewer, said, lang)
            assert ruling is None or ruling["legal"]
            past = one.first is None or one.first < evening.opened_at
            if viewer is None and past and game.view_action(one.before, one.action, None) != one.action.data():
                assert dispute.action_text(evening, one, None, said) == said.words[one.action.do]
                assert ruling is None
            if viewer is not None:
                for other in alternatives(evening, one, viewer):
                    assert dispute.ruling(evening, one.before, other, viewer)[0].legal
                    both = (one, replace(one, action=other))
                    openly = all(dispute.is_open(evening, each, viewer) for each in both)
                    openly &= game.supposed(one.before, one.action) != one.before
                    assert other.by == viewer or other.do in game.asked or openly
        proposal = corrections_told(evening, viewer, said)
        assert proposal is not None
        assert proposal["votes"][1] is True
