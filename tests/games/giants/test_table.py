"""How Giants lies on a table: laid and read back, what explains it, what is asked."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from calibration.house import giants as drawn
from companion.games.game import TABLE, Note
from companion.games.giants import game
from companion.games.giants.actions import Carve, Mark, Move, Pass, Place, Roll, Rongo
from companion.games.giants.board import house_board
from companion.games.giants.places import island
from companion.games.giants.state import Site, State
from companion.games.giants.table import COLOURS, DICE, FRONTS, ISLAND, QUARRY, tabletop
from companion.games.rulebook import LANGUAGES
from companion.games.tabletop import Laid, Seen, SeenCard, SeenPiece, Zone
from companion.sentences import texts
from tests.companion.sights import sight
from tests.games.giants.tables import headdress, in_phase, moai, move, place, play

HOUSE = house_board().data()
NAMES = ("Ada", "Ben", "Cas", "Dee", "Eva")
DIE = SeenPiece("die", DICE.x + 10, DICE.y + 30, "white", 1)


def seen(state: State) -> Seen:
    return sight(tabletop.lay(state), "giants")


def off(state: State, lying: Seen) -> list[tuple[str, str]]:
    return [(d.zone, d.note.facts["thing"]) for d in tabletop.differences(state, lying)]


def at_house(phase: str, **more: Any) -> State:
    return in_phase(phase, board=HOUSE, **more)


def without(lying: Seen, piece: str) -> Seen:
    gone = next(p for p in lying.pieces if p.piece == piece)
    return replace(lying, pieces=tuple(p for p in lying.pieces if p is not gone))


def games(seed: int, players: int, bots: bool) -> Sequence[tuple[State, Any]]:
    """The states and actions of a game, or of its first part."""
    rng = random.Random(seed)
    state, dealer = game.start(players, {}), game.dealer(rng)
    seats = [game.bot(seat, rng) for seat in range(players)]
    turns = []
    for _ in range(260):
        if game.over(state):
            break
        by = game.to_act(state)[0]
        if by == TABLE:
            action: Any = dealer.act(state)
        elif bots:
            legal = [a for a, _ in zip(game.legal(state, by), range(300), strict=False)]
            action = seats[by].choose(game.view(state, by), legal)
        else:
            action = game.sample(state, by, rng)
        turns.append((state, action))
        state, _ = game.apply(state, action)
    return turns


def test_the_island_lies_as_the_house_map_is_drawn() -> None:
    lies = island(house_board())
    assert lies is not None
    size, places = drawn.layout(HOUSE["hexes"])
    sites = drawn.ahu_places(HOUSE["hexes"], HOUSE["ahus"], size, places)
    assert lies.size == pytest.approx(size)
    for mine, hex_ in zip(lies.hexes, house_board().hexes, strict=True):
        assert mine == pytest.approx(places[hex_.id])
    for mine, ahu in zip(lies.ahus, house_board().ahus, strict=True):
        assert mine == pytest.approx(sites[ahu.id][0])
    assert (ISLAND.width, ISLAND.height) == drawn.BOARD


def test_zones_lie_on_the_table_and_apart() -> None:
    zones = tabletop.zones(5)
    for zone in zones:
        assert all(tabletop.area.holds(*zone.at(x, y)) for x in (0, zone.width) for y in (0, zone.height))
    for one, other in combinations(zones, 2):
        apart_x = one.x + one.width <= other.x or other.x + other.width <= one.x
        assert apart_x or one.y + one.height <= other.y or other.y + other.height <= one.y


@pytest.mark.parametrize(("seed", "bots"), [(1, True), (2, False), (5, False)])
def test_what_is_laid_is_read_back(seed: int, bots: bool) -> None:
    for state, _ in games(seed, 3 + seed % 3, bots):
        laid = tabletop.lay(state)
        assert tabletop.differences(state, sight(laid, "giants")) == ()
        assert all(tabletop.area.holds(p.x, p.y) for p in laid.pieces)
        for one, other in combinations(laid.pieces, 2):
            assert math.dist((one.x, one.y), (other.x, other.y)) > 4, (one, other)


@pytest.mark.quick(2)
@pytest.mark.parametrize(("seed", "bots"), [(3, True), (4, True), (6, False), (7, False)])
def test_whatever_was_done_is_among_what_explains_the_table(seed: int, bots: bool) -> None:
    """Up to pieces between which nobody can see a difference."""
    tried = 0
    for state, action in games(seed, 3 + seed % 3, bots):
        if state.phase not in ("carve", "place", "transport"):
            continue
        after = tabletop.just_after(state, action)
        if tabletop.lay(after) == tabletop.lay(state):
            continue  # a phone has to tell it
        lying = sight(tabletop.lay(after), "giants")
        ends = {looks_like(tabletop.just_after(state, a)) for a in tabletop.explaining(state, action.by, lying, ())}
        assert looks_like(after) in ends, action
        assert all(game.can(state, a) for a in tabletop.explaining(state, action.by, lying, ()))
        tried += 1
    assert tried > 20


def looks_like(state: State) -> State:
    """The state with its pieces unnamed."""
    pieces = tuple(sorted((replace(piece, id="") for piece in state.pieces), key=repr))
    sites = tuple(replace(s, moai=s.moai and "moai", headdress=s.headdress and "headdress") for s in state.sites)
    return replace(state, pieces=pieces, sites=sites)


# --- dice ----------------------------------------------------------------------------------------------------------


def rolled(*dice: int, state: State | None = None) -> Laid:
    state = state or game.start(3, {})
    action = Roll(TABLE, dice)
    return tabletop.steps(state, [action], play(state, action))[-1]


def test_a_roll_is_read_with_the_moais_it_brings() -> None:
    reading = tabletop.read(game.start(3, {}), sight(rolled(2, 0, 1), "giants"), [])
    assert reading.action == Roll(TABLE, (2, 0, 1))


def test_dice_that_still_lie_there_are_no_new_roll() -> None:
    before = game.start(3, {})
    lying = sight(rolled(2, 0, 1), "giants")
    dice = replace(lying, pieces=tuple(p for p in lying.pieces if p.piece == "die"))
    assert tabletop.read(before, dice, []).action is None
    waiting = tabletop.read(before, dice, []).waiting
    assert waiting is not None
    assert waiting.code == "see_quarry"


def test_a_roll_that_brings_nothing_is_asked_about() -> None:
    later = in_phase("end", turn=None)
    reading = tabletop.read(later, sight(rolled(0, 0, 0, state=later), "giants"), [])
    assert reading.action is None
    assert [option.action for option in reading.options] == [Roll(TABLE, (0, 0, 0)), None]


@pytest.mark.parametrize("change", ["unclear", "no value", "missing"])
def test_a_die_that_is_not_read_is_asked_about_when_its_moai_is_seen(change: str) -> None:
    """Later rounds count the faces as they are: the Moais leave one way to fill the gap, or one for each place."""
    later = in_phase("end", turn=None)
    lying = sight(rolled(2, 3, 1, state=later), "giants")
    pieces = list(lying.pieces)
    middle = [i for i, p in enumerate(pieces) if p.piece == "die"][1]
    if change == "missing":
        del pieces[middle]
    else:
        pieces[middle] = replace(pieces[middle], value=None, piece="die" if change == "no value" else "")
    reading = tabletop.read(later, replace(lying, pieces=tuple(pieces)), [])
    assert (reading.action, reading.waiting) == (None, None)
    gap = [(2, 1, 3), (2, 3, 1), (3, 2, 1)] if change == "missing" else [(2, 3, 1)]
    assert [option.action for option in reading.options] == [*(Roll(TABLE, dice) for dice in gap), None]
    assert reading.question is not None
    for lang in LANGUAGES:
        assert texts(lang, "giants").tell(reading.question, NAMES)


@pytest.mark.parametrize("change", ["all missing", "tile empty", "tile unclear", "tile crowded"])
def test_what_is_not_read_wholly_is_waited_for(change: str) -> None:
    lying = sight(rolled(2, 0, 1), "giants")
    pieces = list(lying.pieces)
    on_tile = next(i for i, p in enumerate(pieces) if QUARRY.holds(p.x, p.y))
    if change == "all missing":
        pieces = [p for p in pieces if p.piece != "die"]
    elif change == "tile empty":
        pieces = [p for p in pieces if p.piece == "die"][1:]
    elif change == "tile unclear":
        pieces[on_tile] = replace(pieces[on_tile], piece="")
    else:
        pieces.append(SeenPiece("moai-size-3", *QUARRY.at(100, 80)))
    reading = tabletop.read(game.start(3, {}), replace(lying, pieces=tuple(pieces)), [])
    assert reading.action is None
    assert reading.waiting is not None
    for lang in LANGUAGES:
        assert texts(lang, "giants").tell(reading.waiting, NAMES)


# --- what stands where ---------------------------------------------------------------------------------------------


def test_a_figure_too_many_or_too_few_is_told() -> None:
    state = at_house("transport", figures={"b3": "0w 1s", "c4": "2c"})
    more = play(at_house("place"), place(0, "worker", "d5"))
    assert off(state, without(seen(state), "chief")) == [("c4", f"chief-{COLOURS[2]}")]
    assert off(at_house("place"), seen(more)) == [("d5", f"worker-{COLOURS[0]}")]


def test_a_piece_in_doubt_may_be_what_is_missing_and_nothing_else() -> None:
    state = at_house("transport", figures={"b3": "0w 1s"})
    lying = seen(state)
    doubtful = replace(lying, pieces=(replace(lying.pieces[0], piece=""), *lying.pieces[1:]))
    assert off(state, doubtful) == []
    assert off(state, replace(lying, pieces=(*lying.pieces, replace(lying.pieces[0], piece="")))) == [("b3", "unclear")]
    erected = at_house("transport", pieces=[moai(1, 2, ahu="C")], sites={"C": Site(0, None, "moai-1")})
    lying = seen(erected)
    assert off(erected, replace(lying, pieces=(replace(lying.pieces[0], piece=""),))) == []


def test_a_figure_on_the_border_stands_where_it_is_missed() -> None:
    state = at_house("transport", figures={"c4": "0w"})
    lies = island(house_board())
    assert lies is not None
    (x0, y0), (x1, y1) = (lies.hexes[house_board().hex_at[name]] for name in ("c4", "c5"))
    border = ISLAND.at((x0 + x1) / 2 + 1, (y0 + y1) / 2)  # a little nearer to c5
    lying = Seen(pieces=(SeenPiece("worker", *border, COLOURS[0]),))
    assert off(state, lying) == []
    assert off(at_house("transport"), lying) == [("c5", f"worker-{COLOURS[0]}")]
    assert {a.hex for a in tabletop.explaining(at_house("place"), 0, lying, ())} == {"c5"}


def test_logs_on_the_coast_are_nobodys() -> None:
    corner = ISLAND.at(8, 8)
    assert off(at_house("transport"), Seen(pieces=(SeenPiece("log", *corner),))) == []


def test_a_moai_below_its_headdress_need_not_be_seen() -> None:
    pieces = [moai(1, 2, ahu="C"), headdress(1, ahu="C")]
    state = at_house("transport", pieces=pieces, sites={"C": Site(0, None, "moai-1", "headdress-1")})
    assert off(state, without(seen(state), "moai-size-2")) == []
    assert off(state, without(seen(state), "headdress")) == [("C", "headdress")]


@pytest.mark.parametrize("turn", [0.0, 7.0, 180.0, -90.0])
def test_pieces_are_read_where_the_map_lies(turn: float) -> None:
    state = at_house("transport", figures={"b3": "0w 1s", "e7": "2c log"}, pieces=[moai(1, 1, "c9")])
    lying = seen(state)
    middle, moved = ISLAND.at(ISLAND.width / 2, ISLAND.height / 2), (430.0, 260.0)
    t = math.radians(turn)

    def there(piece: SeenPiece) -> SeenPiece:
        dx, dy = piece.x - middle[0], piece.y - middle[1]
        x, y = dx * math.cos(t) - dy * math.sin(t), dx * math.sin(t) + dy * math.cos(t)
        return replace(piece, x=moved[0] + x, y=moved[1] + y)

    map_ = SeenCard("giants/map", {"card": "map"}, *moved, turn)
    assert off(state, Seen((map_,), (), tuple(there(p) for p in lying.pieces))) == []


def test_a_map_may_say_where_its_hexes_lie() -> None:
    """A board whose data knows no coordinates, as the contract has them."""
    bare = {
        "hexes": {name: {k: v for k, v in one.items() if k != "at"} for name, one in HOUSE["hexes"].items()},
        "ahus": HOUSE["ahus"],
    }
    size, places = drawn.layout(HOUSE["hexes"])
    sites = drawn.ahu_places(HOUSE["hexes"], HOUSE["ahus"], size, places)
    said = {"hexes": {n: list(p) for n, p in places.items()}, "ahus": {n: list(p) for n, (p, _) in sites.items()}}
    figures, pieces = {"b3": "0w 1s", "e7": "2c log"}, [moai(1, 1, "c9"), moai(2, 3, ahu="C")]
    more: Any = {"figures": figures, "pieces": pieces, "sites": {"C": Site(1, None, "moai-2")}}
    lying = seen(at_house("transport", **more))
    map_ = SeenCard("x/island", said, *ISLAND.at(ISLAND.width / 2, ISLAND.height / 2))
    state = in_phase("transport", board=bare, **more)
    assert off(state, replace(lying, cards=(map_,))) == []
    assert off(state, without(replace(lying, cards=(map_,)), "chief")) == [("e7", f"chief-{COLOURS[2]}")]
    assert island(state.board) is None
    assert len(tabletop.lay(state).cards) == 1  # the map; nobody knows where on it to put anything


def test_a_table_may_be_laid_out_otherwise() -> None:
    state = at_house("transport", pieces=[moai(1, 1, before=1), moai(2, 2, "c1")])
    other = tabletop.relaid([Zone("island", 10, 10, 430, 270), Zone("seat2.front", 600, 300, 250, 100, 90.0)])
    lying = sight(other.lay(state), "giants")
    assert other.differences(state, lying) == ()
    assert tabletop.differences(state, replace(lying, cards=())) != ()
    assert tabletop.fronts == FRONTS


def test_figures_that_were_bid_are_counted_and_tell_no_action() -> None:
    state = play(game.start(3, {}), Roll(TABLE, (1, 1, 2)))
    for seat in range(3):
        state = play(
            state, game.read(state, {"by": seat, "do": "bid", "markers": 1, "workers": 1, "sorcerer": 0, "chief": 0})
        )
    assert state.phase == "carve"
    found = tabletop.differences(state, without(seen(state), "worker"))
    assert [d.kind for d in found] == ["count"]


# --- what is asked ---------------------------------------------------------------------------------------------------


def asked(state: State, after: State, seat: int = 0) -> tuple[Note, list[Any]]:
    lying = seen(after)
    fits = [
        action
        for action in tabletop.explaining(state, seat, lying, ())
        if not [d for d in tabletop.differences(tabletop.just_after(state, action), lying) if d.kind == "card"]
    ]
    question, options = tabletop.asked(state, fits)
    for lang in LANGUAGES:
        said = texts(lang, "giants")
        assert said.tell(question, NAMES)
        answers = [said.tell(option.note, NAMES) for option in options]
        assert len(set(answers)) == len(answers), "nobody could choose between two answers that read alike"
    assert {option.action for option in options} == set(fits)
    return question, [option.action for option in options]


def test_who_carried_is_asked_where_it_pays_different_people() -> None:
    state = at_house("transport", figures={"c2": "0w 1w 2c", "d2": "0w"}, pieces=[moai(1, 1, "c1", marker=0)])
    question, actions = asked(state, play(state, move(0, "moai-1", "c2: 1w, d2: 0w")))
    assert question.code == "ask_carried"
    assert [play(state, action).prestige for action in actions] == [(0, 0, 0), (0, 0, 1), (0, 1, 0)]


def test_who_carried_is_not_asked_where_it_comes_to_the_same() -> None:
    state = at_house("transport", figures={"c2": "0w 0s log 0c", "d2": "0w"}, pieces=[moai(1, 1, "c1", marker=0)])
    _, actions = asked(state, play(state, move(0, "moai-1", "c2: 0w, d2: 0w")))
    assert len(actions) == 1


def test_whether_it_was_marked_is_asked() -> None:
    state = at_house("transport", figures={"c2": "0w"}, pieces=[moai(1, 1, before=0)])
    question, actions = asked(state, play(state, move(0, "moai-1", "c2: 0w")))
    assert question.code == "ask_marked"
    assert [action.then for action in actions] == [None, "mark"]


def test_both_are_asked_at_once() -> None:
    state = at_house("transport", figures={"c2": "0w 1w"}, pieces=[moai(1, 1, before=0)])
    question, actions = asked(state, play(state, move(0, "moai-1", "c2: 0w", "mark")))
    assert question.code == "ask_carried"
    assert [(action.then, play(state, action).prestige[1]) for action in actions] == [
        (None, 0),
        ("mark", 0),
        (None, 1),
        ("mark", 1),
    ]


def test_a_medicine_man_is_mostly_sent_for_something_and_a_chief_mostly_stands() -> None:
    state = at_house("place", tablets=(2, 0, 0))
    question, actions = asked(state, play(state, place(0, "sorcerer", "b4", "village")))
    assert question.code == "ask_placed"
    assert [action.action for action in actions] == ["village", None]
    _, actions = asked(state, play(state, place(0, "chief", "b4", "village")))
    assert [action.action for action in actions] == [None, "village"]
    _, actions = asked(state, play(state, place(0, "sorcerer", "a5")))
    assert [action.ahu for action in actions] == [None, "H", "I"]


def test_a_headdress_before_the_screen_tells_who_took_it() -> None:
    state = at_house("place")
    _, actions = asked(state, play(state, place(0, "sorcerer", "c9", "headdress")))
    assert [action.action for action in actions] == ["headdress"]
    _, actions = asked(state, play(state, place(0, "sorcerer", "c9")))
    assert [action.action for action in actions] == ["headdress", None]  # it may be on its way


def test_which_of_two_sorts_of_piece_was_moved_is_asked() -> None:
    pieces = [moai(1, 1, "c1", marker=0), moai(2, 1, "c1")]
    state = at_house("transport", figures={"c2": "0w"}, pieces=pieces)
    question, actions = asked(state, play(state, move(0, "moai-2", "c2: 0w", "mark")))
    assert question.code == "ask_which"
    assert {action.piece for action in actions} == {"moai-1", "moai-2"}


def test_of_pieces_that_are_alike_the_first_one_moves() -> None:
    state = at_house(
        "transport", figures={"c2": "0w"}, pieces=[moai(n, 1, before=0) for n in (1, 2)], stocks={0: {"markers": 0}}
    )
    _, actions = asked(state, play(state, move(0, "moai-2", "c2: 0w")))
    assert [action.piece for action in actions] == ["moai-1"]


def test_a_piece_brought_to_its_quarry_without_carriers_was_marked() -> None:
    state = at_house("transport", pieces=[moai(1, 2, before=0)])
    _, actions = asked(state, play(state, Mark(0, "moai-1")))
    assert actions == [Mark(0, "moai-1")]


def test_crowning_without_moving_shows() -> None:
    pieces = [moai(1, 2, ahu="C"), headdress(1, "a1", marker=0)]
    sites = {"C": Site(1, None, "moai-1")}
    state = at_house("transport", figures={"a1": "0w"}, pieces=pieces, sites=sites)
    crown = Move(0, "headdress-1", (), (), "crown", "C")
    assert asked(state, play(state, crown))[1] == [crown]


def test_what_shows_on_no_table_is_known() -> None:
    assert list(tabletop.unseen(at_house("place"), 1)) == [Pass(1), Rongo(1)]
    pieces = [moai(1, 1, "c1"), moai(2, 1, before=1)]
    assert list(tabletop.unseen(at_house("transport", pieces=pieces), 1)) == [Pass(1), Mark(1, "moai-1")]
    assert list(tabletop.unseen(at_house("carve"), 1)) == [Carve(1, None)]
    assert list(tabletop.unseen(at_house("end"), 1)) == []
    assert Place(0, "worker", "a1") not in tabletop.unseen(at_house("place"), 0)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_differs_is_told(lang: str) -> None:
    said = texts(lang, "giants")
    pieces = [moai(1, 2, ahu="C"), moai(2, 1, before=1), headdress(1, "c9")]
    sites = {"C": Site(1, None, "moai-1")}
    state = at_house("carve", figures={"b3": "0w log"}, pieces=pieces, sites=sites, quarry=(1, 3))
    told = {said.tell(d.note, NAMES) for d in tabletop.differences(state, Seen())}
    assert len(told) == 7
    assert not any("-" in sentence for sentence in told)  # every thing has a name
    stranger = Seen(pieces=(SeenPiece("", *ISLAND.at(215, 135)),))
    assert [said.tell(d.note, NAMES) for d in tabletop.differences(at_house("place"), stranger)]
    assert said.tell(tabletop.name({"card": "map"}), NAMES) != said.tell(tabletop.name({}), NAMES)


def test_an_untold_thing_with_a_headdress_may_be_the_moai_below_it() -> None:
    sites = {"A": Site(base=0, moai="moai-1", headdress="headdress-1")}
    state = at_house("transport", pieces=(moai(1, 1, ahu="A"), headdress(1, ahu="A")), sites=sites)
    lying = without(seen(state), "moai-size-1")
    (crown,) = lying.pieces
    assert off(state, lying) == []
    assert off(state, replace(lying, pieces=(crown, SeenPiece("", crown.x + 3, crown.y)))) == []
    two = (SeenPiece("", crown.x + 3, crown.y), SeenPiece("", crown.x - 3, crown.y))
    assert off(state, replace(lying, pieces=(crown, *two))) == [("A", "unclear")]
