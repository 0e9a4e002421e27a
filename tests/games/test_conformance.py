"""What every game must keep to, whatever its rules; runs over all installed games and a small one of our own.

`COMPANION_CONFORMANCE` sets how many random games are played for each number of players (1 unless told otherwise).
A game's test folder may hold a `hooks.py` with

    OPTIONS  option sets to play with besides {}
    def twin(state, action, viewer, rng) -> (state, action) | None
             another state and action that the viewer can tell from these neither before nor after the action,
             since only what it may not know is different; None where there is no such thing
"""

from __future__ import annotations

import importlib
import json
import os
import random
from collections.abc import Iterator
from importlib.resources import files
from itertools import islice
from string import Formatter
from typing import Any

import pytest

from companion.games.game import TABLE, Game, Illegal, Malformed, Note, games
from companion.games.record import fold, replay
from companion.games.rulebook import LANGUAGES
from companion.sentences import texts
from tests.games.playing import MANY, NAMES, Playthrough, Turn, listed, mutants, play, played, sample
from tests.games.sticks import game as sticks

SEEDS = range(int(os.environ.get("COMPANION_CONFORMANCE", "1")))
STATES = 12  #: of each game that are looked at closely
GAMES: list[Game[Any, Any]] = [*games().values(), sticks]


def hooks(game: Game[Any, Any]) -> Any:
    """The game's `hooks.py` among the tests, or None."""
    name = game.folder.rsplit(".", 1)[-1]
    try:
        return importlib.import_module(f"tests.games.{name}.hooks")
    except ModuleNotFoundError:
        return None


def plays() -> Iterator[Any]:
    """One test case for each game, number of players, option set and seed; the fewest and the most run quickly."""
    for game in GAMES:
        for options in [{}, *getattr(hooks(game), "OPTIONS", [])]:
            for players in game.seats:
                for seed in SEEDS:
                    named = "-".join([game.name, str(players), *options, str(seed)])
                    marks = [pytest.mark.xdist_group(named)]  # one worker plays it, and remembers it
                    marks += [pytest.mark.thorough] * (players not in (game.seats[0], game.seats[-1]))
                    yield pytest.param((game, players, seed, options), id=named, marks=marks)


@pytest.fixture(params=plays())
def playthrough(request: pytest.FixtureRequest) -> Playthrough:
    return played(*request.param)


each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def looked_at(playthrough: Playthrough) -> list[Turn]:
    return sample(random.Random(7), list(playthrough.turns), STATES)


# --- playing ---------------------------------------------------------------------------------------------------------


def test_random_games_end(playthrough: Playthrough) -> None:
    game, seats = playthrough.game, range(len(playthrough.players))
    for state in playthrough.states[:-1]:
        actors = game.to_act(state)
        assert actors == (TABLE,) or (set(actors) <= set(seats) and list(actors) == sorted(set(actors)))
    for state in sample(random.Random(2), playthrough.states[:-1], 20 * STATES):
        for seat in seats:
            legal = listed(game, state, seat)
            assert legal or seat not in game.to_act(state)
            assert len(set(legal)) == len(legal)
            assert all(action.by == seat for action in legal)
    assert game.over(playthrough.end)
    assert game.to_act(playthrough.end) == ()
    assert not any(list(game.legal(playthrough.end, seat)) for seat in seats)


def test_scores_and_places_stand_at_any_time(playthrough: Playthrough) -> None:
    game, seats = playthrough.game, list(range(len(playthrough.players)))
    for state in playthrough.states:
        scores, ranking = game.scores(state), game.ranking(state)
        assert [score.seat for score in scores] == seats
        assert all(score.total == sum(score.parts.values()) for score in scores)
        assert sorted(seat for place in ranking for seat in place) == seats
        totals = [scores[seat].total for place in ranking for seat in place]
        assert totals == sorted(totals, reverse=True), "nobody is placed before somebody with more points"


def test_the_same_seed_is_the_same_game(playthrough: Playthrough) -> None:
    again = play(playthrough.game, len(playthrough.players), 0, playthrough.options)
    first = played(playthrough.game, len(playthrough.players), 0, playthrough.options)
    assert again == first


def test_applying_is_pure(playthrough: Playthrough) -> None:
    game = playthrough.game
    for turn in looked_at(playthrough):
        before = json.dumps(game.dump(turn.state))
        assert game.apply(turn.state, turn.action) == game.apply(turn.state, turn.action)
        assert len({turn.state, turn.action}) == 2, "states and actions are hashable"
        assert json.dumps(game.dump(turn.state)) == before


def test_every_seat_count_but_those_is_refused() -> None:
    for game in GAMES:
        for players in {0, 1, game.seats.start - 1, game.seats.stop, 99} - set(game.seats):
            with pytest.raises(Malformed):
                game.start(players, {})
        with pytest.raises(Malformed):
            game.start(game.seats.start, {"no such option": True})


@each_game
def test_bots_play_lawfully_to_the_end(game: Game[Any, Any]) -> None:
    end = play(game, game.seats.start, 1, {}, bots=True)
    assert game.over(end.end)


# --- records ---------------------------------------------------------------------------------------------------------


def test_a_record_replays_to_the_same_game(playthrough: Playthrough) -> None:
    if playthrough.game is sticks:
        pytest.skip("records name installed games only")
    steps = list(replay(playthrough.record().encode().splitlines(keepends=True)))
    assert [step.state for step in steps] == playthrough.states
    assert [step.effects for step in steps[1:]] == [turn.effects for turn in playthrough.turns]
    for step in steps:
        answer = step.answer()
        assert json.loads(json.dumps(answer)) == answer, "plain JSON: no tuples, no number for a key"


def test_an_action_reads_as_it_is_written(playthrough: Playthrough) -> None:
    for turn in playthrough.turns:
        data = json.loads(json.dumps(turn.action.data()))
        assert list(data)[:2] == ["by", "do"]
        assert playthrough.game.read(turn.state, data) == turn.action


def test_rewinding_is_replaying_that_far(playthrough: Playthrough) -> None:
    if playthrough.game is sticks:
        pytest.skip("records name installed games only")
    actions = [action.data() for action in playthrough.actions]
    for length in sample(random.Random(5), list(range(len(actions))), 3):
        assert fold(playthrough.header, actions[:length]) == playthrough.states[length]


# --- rulings ---------------------------------------------------------------------------------------------------------


def test_one_decision_serves_all_askers(playthrough: Playthrough) -> None:
    """`verify`, `can`, `apply` and `legal` agree on actions as played, as mutated, and as played elsewhere."""
    game, rng = playthrough.game, random.Random(11)
    words = sorted({word for action in playthrough.actions for word in _words(action.data())})
    for turn in looked_at(playthrough):
        elsewhere = sample(rng, playthrough.actions, 4)
        legal = [a for who in game.to_act(turn.state) for a in listed(game, turn.state, who)]
        for action in [turn.action, *elsewhere, *sample(rng, legal, 4)]:
            tried = [action.data(), *mutants(rng, action.data(), words)]
            tried += [{**action.data(), "by": who} for who in [*range(len(playthrough.players)), TABLE]]
            for data in tried:
                _try(playthrough, turn.state, data)


def _try(playthrough: Playthrough, state: Any, data: dict[str, Any]) -> None:
    game = playthrough.game
    try:
        action = game.read(state, data)
    except Malformed:
        return
    ruling = game.verify(state, action)
    assert game.can(state, action) is ruling.legal
    legal = listed(game, state, action.by)
    if action in legal or (len(legal) < MANY and (action.by != TABLE or legal)):
        assert ruling.legal == (action in legal), (data, ruling)
    for lang in LANGUAGES:
        told = game.rulebook.ruling(ruling, playthrough.players, lang)
        assert told["says"]
        assert told["because"]
        assert told["source"]["heading"]
    if ruling.legal:
        game.apply(state, action)
    else:
        before = game.dump(state)
        with pytest.raises(Illegal) as refused:
            game.apply(state, action)
        assert refused.value.ruling == ruling
        assert game.dump(state) == before


def _words(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, list | dict):
        for value in data.values() if isinstance(data, dict) else data:
            yield from _words(value)


# --- telling ---------------------------------------------------------------------------------------------------------


def test_all_that_happens_can_be_told_in_every_language(playthrough: Playthrough) -> None:
    game = playthrough.game
    for effect in (effect for turn in playthrough.turns for effect in turn.effects):
        assert effect.rule in game.rulebook.ids()
        row = effect.note.facts.get("row")
        assert row is None or isinstance(row, int)
        for lang in LANGUAGES:
            assert game.rulebook.texts(lang).tell(effect.note, NAMES)


def _headlines_and_choices(playthrough: Playthrough) -> Iterator[Note]:
    game = playthrough.game
    for state in playthrough.states:
        yield game.phase(state)
        for who in game.to_act(state):
            if who != TABLE and game.due(state) not in game.secret:
                yield from (game.tell(state, action) for action in islice(game.legal(state, who), 12))


def test_headlines_and_choices_can_be_told_in_every_language(playthrough: Playthrough) -> None:
    if not files(playthrough.game.folder).joinpath("table.py").is_file():
        pytest.skip("the game cannot be laid on a table yet, so nothing tells them")
    told = {lang: texts(lang, playthrough.game.name) for lang in LANGUAGES}
    for note in _headlines_and_choices(playthrough):
        for lang in LANGUAGES:
            assert told[lang].tell(note, NAMES)


@each_game
def test_all_languages_say_the_same_things(game: Game[Any, Any]) -> None:
    english = game.rulebook.texts("en")
    assert english.rules
    for lang in LANGUAGES:
        book = game.rulebook.texts(lang)
        assert list(book.rules) == list(english.rules)
        assert list(book.messages) == list(english.messages)
        assert list(book.words) == list(english.words)
        for code, message in book.messages.items():
            assert _blanks(message) == _blanks(english.messages[code]), (lang, code)
        for rule in book.rules.values():
            assert rule.text
            assert rule.book
            assert rule.heading
            assert bool(rule.note) == bool(english.rules[rule.id].note)
            assert lang == "en" or rule.text != english.rules[rule.id].text, "translated"


def _blanks(message: str) -> list[str]:
    return sorted({name for _, name, _, _ in Formatter().parse(message) if name is not None})


# --- who may know what -----------------------------------------------------------------------------------------------


def viewers(playthrough: Playthrough) -> list[int | None]:
    return [*range(len(playthrough.players)), None]


def test_views_are_plain_data(playthrough: Playthrough) -> None:
    game = playthrough.game
    for turn in looked_at(playthrough):
        for viewer in viewers(playthrough):
            view, action = game.view(turn.state, viewer), game.view_action(turn.state, turn.action, viewer)
            assert json.loads(json.dumps([view, action])) == [view, action]
            assert (action["by"], action["do"]) == (turn.action.by, turn.action.do)
            assert set(view) >= set(game.view(turn.state, None)), "a seat sees all fields that a spectator sees"


def test_nobody_sees_a_secret_deed_before_all_have_done_it(playthrough: Playthrough) -> None:
    """Whatever a seat puts down, every other viewer sees, hears and may do the same."""
    game, rng = playthrough.game, random.Random(3)
    secret = [turn for turn in playthrough.turns if turn.action.do in game.secret]
    for turn in sample(rng, secret, STATES):
        state, by = turn.state, turn.action.by
        if len(game.to_act(state)) == 1:
            continue  # the last one: now it opens
        deeds = [action for action in listed(game, state, by) if action.do == turn.action.do]
        one, other = (rng.choice(deeds) for _ in range(2))
        for viewer in viewers(playthrough):
            if viewer != by:
                assert _seen(game, state, one, viewer) == _seen(game, state, other, viewer)


def test_what_was_allowed_is_allowed_by_the_same_rule_where_hidden_things_are_supposed(
    playthrough: Playthrough,
) -> None:
    game = playthrough.game
    for turn in playthrough.turns:
        ruling = game.verify(game.supposed(turn.state, turn.action), turn.action)
        assert (ruling.legal, ruling.rule) == (True, game.verify(turn.state, turn.action).rule)


def test_what_a_viewer_may_not_know_changes_nothing_for_it(playthrough: Playthrough) -> None:
    """Two games that differ only in what a viewer may not know are the same to it, byte by byte."""
    twin = getattr(hooks(playthrough.game), "twin", None)
    if twin is None:
        pytest.skip("no hidden information, or no hook that knows it")
    game, rng = playthrough.game, random.Random(13)
    different = 0
    own = {seat: sample(rng, [a for a in playthrough.actions if a.by == seat], 5) for seat in viewers(playthrough)}
    asked = sample(rng, [a for a in playthrough.actions if a.do in game.asked], 5)
    others = {seat: sample(rng, [a for a in playthrough.actions if a.by != seat], 5) for seat in viewers(playthrough)}
    for turn in sample(rng, list(playthrough.turns), 5 * STATES):
        for viewer in viewers(playthrough):
            found = twin(turn.state, turn.action, viewer, rng)
            if found is not None:
                different += found != (turn.state, turn.action)
                assert _seen(game, *found, viewer) == _seen(game, turn.state, turn.action, viewer)
                for action in own[viewer] + asked:
                    assert game.verify(found[0], action) == game.verify(turn.state, action), "a ruling would tell"
                for action in others[viewer]:
                    rulings = [game.verify(game.supposed(state, action), action) for state in (found[0], turn.state)]
                    assert rulings[0] == rulings[1], "a ruling on what is supposed would tell"
    assert different, "the hook never changed anything"


def _seen(game: Game[Any, Any], state: Any, action: Any, viewer: int | None) -> bytes:
    """All that a viewer gets of a state, an action and what comes of it, as it would go over a wire."""
    after, effects = game.apply(state, action)
    told = [[e.rule, e.note.code, e.note.facts, e.memory] for e in game.view_effects(effects, viewer)]
    may_do = [[a.data() for a in listed(game, s, viewer)] if viewer is not None else [] for s in (state, after)]
    views = [game.view(state, viewer), game.view_action(state, action, viewer), game.view(after, viewer)]
    acting = [game.to_act(state), game.to_act(after)]
    return json.dumps([views, told, may_do, acting], sort_keys=True, default=dict).encode()
