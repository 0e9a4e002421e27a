"""The demonstration in small: rendered frames, the real eyes, the real table, people who play."""

import json
import math
import random
import threading
from itertools import combinations

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.demo import pieces, stage
from companion.demo.live import play_on
from companion.demo.people import seat_people
from companion.demo.stage import House, build
from companion.demo.world import ASKEW_MM, World
from companion.games.game import TABLE, game
from companion.games.tabletop import BeadPlacing, Laid, PiecePlacing, Placing, Zone
from vision.deck import Deck
from vision.figures import Figures, split
from vision.simulated import Placed
from vision.simulated.pieces import SHAPES

ENOUGH = 3  # Fiji: conditions, goals, and an exchange


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


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "laid"), [("rapa-nui", ["deal", "lay_display"]), ("maori", ["lay_display"])])
def test_the_other_games_are_followed_as_well(tmp_path, short, name, laid):
    show = build(game(name), 2, 11, tmp_path)
    short(show, most=2)
    tally = show.tally
    assert (tally.states_true, tally.states_read) == (2, 2)
    assert (tally.silent_differences, tally.told_differences, tally.unnoticed) == (0, 0, 0)
    played = show.table.evening.played
    assert [one.action.do for one in played][: len(laid)] == laid
    assert {one.cause for one in played} <= {"camera", "answer", "phone"}
    show.table.close()


@pytest.mark.thorough
def test_giants_is_followed_with_its_dice_and_pieces(tmp_path, short):
    show = build(game("giants"), 3, 11, tmp_path)
    short(show, most=2)
    tally = show.tally
    assert (tally.states_true, tally.states_read) == (2, 2)
    assert (tally.silent_differences, tally.told_differences, tally.entered_by_hand) == (0, 0, 0)
    played = show.table.evening.played
    assert [one.action.do for one in played][:4] == ["roll", "bid", "bid", "bid"]
    assert played[0].cause in ("camera", "answer")
    show.table.close()


@pytest.mark.thorough
def test_bots_vote_on_what_a_person_says_and_the_table_is_put_back(tmp_path, short):
    show = build(game("fiji"), 3, 11, tmp_path)
    short(show, most=2)
    table = show.table
    laid = table.evening.played[0]
    token = show.take_over(1)
    table.propose(token, laid.number, None, "en")  # all have seen it: the bots are against it
    show._frames(2)
    assert (table.evening.proposal, len(table.evening.played)) == (None, 2)
    show._truth = laid.before  # what was read did not happen
    table.propose(token, laid.number, None, "en")
    show._frames(2)
    assert (table.evening.proposal, table.evening.played) == (None, [])
    assert show._put_back()
    assert not show._put_back()
    assert show._read_right()
    table.close()


def test_what_the_table_has_wrong_is_voted_back_and_entered(tmp_path, short):
    show = build(game("rapa-nui"), 2, 11, tmp_path)
    show._people = seat_people(show.table, show.game, 2, random.Random(3))
    dealer = show.game.dealer(random.Random(4))
    before = show.game.start(2, {})
    meant, other = dealer.act(before), dealer.act(before)
    assert meant != other
    show._truth, _ = show.game.apply(before, meant)
    show._enter(other)
    assert not show._read_right()
    show._put_right([meant], 0)
    assert show._read_right()
    assert [one.cause for one in show.table.evening.played] == ["answer"]
    show.table.close()


def test_beads_find_room_in_a_crowded_zone():
    zone = Zone("supply", 100, 100, 48, 245)
    beads = tuple(
        BeadPlacing("shell", 100 + 18 * (i % 2 + 0.5), 100 + 18 * (i // 2 + 0.5), "supply") for i in range(26)
    )
    world = World((zone,), random.Random(1))
    world.lay(Laid(beads=beads))
    places = [bead.centre_mm for _, bead in world.beads]
    assert len(places) == 26
    assert min(math.dist(a, b) for a, b in combinations(places, 2)) > 13
    world.lay(Laid(beads=beads[:20]))
    assert len(world.beads) == 20


def test_a_piece_is_carried_by_the_board_it_stands_on():
    board, ship = Placing("map", 400, 300, 0, "island"), PiecePlacing("ship", 500, 300, "island")
    world = World((), random.Random(2))
    world.lay(Laid((board,), (), (ship,)))
    world.cards[board] = Placed("map", (410, 300), 90)
    (piece,) = world.scene().pieces
    assert math.dist(piece.centre_mm, (410, 400)) < 2 * ASKEW_MM


@pytest.mark.parametrize("seed", range(8))
def test_pieces_stand_in_no_other_one_and_stay_where_they_stand(seed):
    """People do not set them down on each other, even where their places are narrow."""
    row = [("worker", "red", 400), ("worker", "blue", 413), ("chief", "green", 432), ("worker", "red", 451)]
    placings = tuple(PiecePlacing(piece, x, 300, "island", colour) for piece, colour, x in row)
    world = World((), random.Random(seed))
    world.lay(Laid(pieces=placings[:3]))
    stood = dict(world.pieces)
    world.lay(Laid(pieces=placings))
    assert {placing: world.pieces[placing] for placing in stood} == stood
    places = [(piece.centre_mm, SHAPES[piece.piece].reach) for piece in world.pieces.values()]
    assert all(math.dist(a, b) > one + other for (a, one), (b, other) in combinations(places, 2))


def test_only_what_stands_at_a_spot_is_straightened():
    row = tuple(PiecePlacing("log", 300 + 50 * i, 300, "island", spot=f"c{i}") for i in range(3))
    world = World((), random.Random(6))
    world.lay(Laid(pieces=row))
    stood = dict(world.pieces)
    assert world.straighten({"c1"}) == ((350, 300),)
    assert [world.pieces[placing] == stood[placing] for placing in row] == [True, False, True]


def test_a_headdress_stands_on_its_moai():
    moai = PiecePlacing("moai-size-2", 400, 300, "island")
    world = World((), random.Random(5))
    world.lay(Laid(pieces=(PiecePlacing("headdress", 400, 300, "island", on="moai-size-2"), moai)))
    below, above = sorted(world.scene().pieces, key=lambda piece: piece.base_mm)
    assert (below.piece, above.piece) == ("moai-size-2", "headdress")
    assert (below.base_mm, above.base_mm) == (0.0, SHAPES["moai-size-2"].height)
    assert above.centre_mm == below.centre_mm


@pytest.mark.thorough
def test_the_pieces_of_the_house_are_learned_as_large_as_they_are():
    solids = {model.name: model.solid for models in Figures(pieces.taught("giants")).models for model in models}
    assert {split(name)[0] for name in solids} == set(SHAPES) - {"die", "ship"}
    for name, solid in solids.items():
        shape = SHAPES[split(name)[0]]
        assert solid.length == pytest.approx(max(x for x, _ in shape.slabs[0].outline), abs=2.6), name
        if solid.block:
            assert solid.height == pytest.approx(shape.height, abs=4), name
    assert pieces.taught("fiji") == ()


def test_a_game_is_not_played_by_too_many():
    result = CliRunner().invoke(main, ["demo", "rapa-nui", "--players", "5", "--headless"])
    assert result.exit_code == 2
    assert "rapa-nui is for 2 to 4" in result.output


@pytest.mark.thorough
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


@pytest.fixture
def bare(monkeypatch):
    """A house in which nothing is drawn, which is quicker."""
    monkeypatch.setattr(House, "of", lambda name: House({}, Deck(name, ())))


class Audience:
    """Watches a show of which nothing is rendered: `then` happens in a frame; what people carry out is noted."""

    def __init__(self, folder, name, then, monkeypatch):
        self.show = show = build(game(name), 3, 12, folder, live=True)
        show._people, show._truth = seat_people(show.table, show.game, 3, random.Random(3)), show.game.start(3, {})
        self.then, self.frames, self.carried_out = then, 0, []
        dealer = show.game.dealer(random.Random(4))
        while show.game.to_act(show._truth) == (TABLE,):
            laid = dealer.act(show._truth)
            show._enter(laid)
            show._truth, _ = show.game.apply(show._truth, laid)
        monkeypatch.setattr(show, "_frames", self.see)
        monkeypatch.setattr(show, "_carry_out", lambda actions, known=False: self.carried_out.append((actions, known)))

    def see(self, count, hands=()):
        self.frames += count
        if self.then is not None:
            self.then()
            self.then = None
        assert self.frames < 100, "the show waits for ever"


def test_for_who_gives_a_seat_back_a_bot_seals(tmp_path, bare, monkeypatch):
    audience = Audience(tmp_path, "fiji", None, monkeypatch)
    show = audience.show
    token = show.take_over(2)
    monkeypatch.setattr(show, "_pause", lambda seconds: None)
    audience.then = lambda: show.give_back(token)
    show._decide_in_secret(show._people)
    ((actions, known),) = audience.carried_out
    assert ([action.by for action in actions], known) == ([0, 1, 2], True)
    show.table.close()


def test_for_who_gives_a_seat_back_a_bot_chooses(tmp_path, bare, monkeypatch):
    audience = Audience(tmp_path, "maori", None, monkeypatch)
    show, person = audience.show, audience.show._people[0]
    token = show.take_over(0)
    audience.then = lambda: show.give_back(token)
    show._choose(person)
    assert audience.carried_out == []  # nobody has done anything yet
    show._choose(person)
    assert [action.by for actions, _ in audience.carried_out for action in actions] == [0]
    show.table.close()


def test_who_takes_a_seat_while_its_bot_thinks_plays(tmp_path, bare, monkeypatch):
    audience = Audience(tmp_path, "maori", None, monkeypatch)
    show, person = audience.show, audience.show._people[0]

    def sit_down_and_sail():
        assert show.table.act(show.take_over(0), {"do": "sail", "steps": 1}, "en")["legal"]

    audience.then = sit_down_and_sail
    show._choose(person)
    ((actions, known),) = audience.carried_out
    assert ([action.data() for action in actions], known) == ([{"by": 0, "do": "sail", "steps": 1}], True)
    show.table.close()


def test_a_show_that_is_stopped_ends_even_while_it_pauses(tmp_path, bare):
    show = build(game("fiji"), 3, 12, tmp_path, live=True)
    show.pace(paused=True, speed=1.0)
    thread = threading.Thread(target=play_on, args=(show,), daemon=True)
    thread.start()
    show.stop()
    thread.join(20)
    assert not thread.is_alive()
    assert show.report.frames == 0
    show.table.close()


def test_the_report_is_one_object_and_says_no_when_something_was_missed(monkeypatch):
    report = {"game": "fiji", "states_true": 3, "states_read": 3, "silent_differences": 0}
    monkeypatch.setattr(stage, "headless", lambda *_: report)
    result = CliRunner().invoke(main, ["demo", "fiji", "--headless", "--json"])
    assert (result.exit_code, json.loads(result.stdout)) == (0, report)
    monkeypatch.setattr(stage, "headless", lambda *_: {**report, "silent_differences": 1})
    assert CliRunner().invoke(main, ["demo", "fiji", "--headless"]).exit_code == 1
