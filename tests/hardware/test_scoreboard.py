"""The scoreboard can be read from two metres, whatever the names, and says in black and white what it says in red."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from hardware import ink
from hardware.ink import RED, Box, Shape
from hardware.scoreboard import (
    LARGE,
    SMALL,
    Board,
    Colours,
    Count,
    Join,
    Mark,
    Notice,
    Place,
    Print,
    Seat,
    draw,
    lay_out,
    pixels_for,
    wifi_text,
)

PITCH = {LARGE: 163.2 / 800, SMALL: 48.55 / 250}  # millimetres a pixel
SIZES = [LARGE, SMALL, (400, 300), (296, 128), (212, 104), (1304, 984)]
NAMES = ("Hedwig", "Christian", "Angelika", "Marcel", "Jörg")
MARKS = (Mark.TO_ACT, Mark.SEALED, Mark.TO_ACT, Mark.SEALED, Mark.NONE)
SUPPLY = (
    Count(10, "grün", "Gn", Shape.TRIANGLE),
    Count(7, "rot", "R", Shape.DIAMOND),
    Count(13, "gelb", "Ge", Shape.SQUARE),
    Count(5, "blau", "B", Shape.CIRCLE),
)
PRINTS = tuple(Print(label, "3f9a21c4" * 8) for label in ("H", "C", "A", "M", "J", "Log"))
GAME = Board(
    "Fiji",
    "Runde 2, Austausch 3: bieten",
    tuple(Seat(n, m, i == 0, str(i)) for i, (n, m) in enumerate(zip(NAMES, MARKS, strict=True))),
    SUPPLY,
)
URL = "http://192.168.178.31:8000/join/abcd"
NOTICE = "Der Vorrat passt nicht: 7 statt 8 rote Perlen liegen auf dem Tisch."
END = replace(GAME, phase="Ende", ranking=tuple(Place(1 + i, n, str(5 - i)) for i, n in enumerate(NAMES)))


def caps(board: Board, size: tuple[int, int]) -> dict[str, int]:
    """Height of capitals of every primary text."""
    return {p.text: p.cap for p in lay_out(board, size).placed if p.primary}


def texts(board: Board, size: tuple[int, int]) -> list[str]:
    return [p.text for p in lay_out(board, size).placed]


def read_qr(image: Image.Image, times: int = 2) -> set[str]:
    """What a phone reads from the board, seen somewhat blurred."""
    grey: NDArray[np.uint8] = np.asarray(
        image.convert("L").resize((image.width * times, image.height * times)), np.uint8
    )
    _, found, _, _ = cv2.QRCodeDetector().detectAndDecodeMulti(cv2.GaussianBlur(grey, (3, 3), 0))
    return set(found)


# --- pixels


def test_three_inks_and_nothing_between() -> None:
    image = draw(replace(GAME, notice=Notice(NOTICE)), LARGE, "bwr")
    assert (image.mode, image.size) == ("P", LARGE)
    assert (image.getpalette() or [])[:9] == [255, 255, 255, 0, 0, 0, 255, 0, 0]
    assert set(np.unique(np.asarray(image))) == {0, 1, 2}


def test_black_and_white_loses_nothing_but_the_colour() -> None:
    red = np.asarray(draw(GAME, LARGE, "bwr"))
    image = draw(GAME, LARGE, "bw")
    assert image.mode == "1"
    assert np.array_equal(np.asarray(image), red == 0)
    assert (red == RED).any()


@pytest.mark.parametrize("colours", ["bwr", "bw"])
@pytest.mark.parametrize("size", SIZES)
def test_every_screen_has_the_size_asked_for(size: tuple[int, int], colours: Colours) -> None:
    for board in (GAME, END, replace(GAME, join=Join(URL)), replace(GAME, notice=Notice("?", True), foot=PRINTS)):
        assert draw(board, size, colours).size == size


def test_the_same_board_is_the_same_picture() -> None:
    assert draw(GAME, SMALL).tobytes() == draw(GAME, SMALL).tobytes()


@pytest.mark.parametrize("size", [(199, 122), (250, 90), (480, 800)])
def test_a_panel_too_small_or_upright_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="landscape"):
        draw(GAME, size)


# --- legible at two metres


def test_minutes_of_arc() -> None:
    assert pixels_for(5, 2000, 1) == pytest.approx(2.909, abs=0.001)  # the 20/20 letter at 2 m, in mm
    assert pixels_for(10, 2000, PITCH[LARGE]) == pytest.approx(28.5, abs=0.1)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_an_ordinary_game_on_the_large_panel_spans_ten_minutes(players: int) -> None:
    need = pixels_for(10, 2000, PITCH[LARGE])
    found = caps(replace(GAME, seats=GAME.seats[:players]), LARGE)
    assert {GAME.phase, *NAMES[:players], "10", "7", "13", "5"} <= found.keys()
    assert min(found.values()) >= need
    found = caps(replace(END, ranking=END.ranking[:players]), LARGE)
    assert set(NAMES[:players]) <= found.keys()
    assert min(found.values()) >= need


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_an_ordinary_game_on_the_small_panel(players: int) -> None:
    found = caps(replace(GAME, seats=GAME.seats[:players]), SMALL)
    assert min(found[name] for name in NAMES[:players]) >= pixels_for(4.3, 2000, PITCH[SMALL])
    assert min(found[number] for number in ("10", "7", "13", "5")) >= pixels_for(5, 2000, PITCH[SMALL])
    assert found[GAME.phase] >= 10
    found = caps(END, SMALL)
    assert min(found.values()) >= pixels_for(5, 2000, PITCH[SMALL])


@pytest.mark.parametrize(("size", "least"), [(LARGE, 15), (SMALL, 10)])
def test_long_texts_shrink_first_and_are_then_shortened(size: tuple[int, int], least: int) -> None:
    long = "Wilhelmine-Friederike Wü"
    board = replace(
        GAME,
        phase="Donaudampfschifffahrtsgesellschaft, Runde 3 von 4: Häuptlinge bieten und dann aufdecken",
        seats=tuple(replace(seat, name=long, start=True, value="188") for seat in GAME.seats),
        notice=Notice(f"{NOTICE} {NOTICE} {NOTICE}"),
    )
    canvas = lay_out(board, size)
    assert min(p.cap for p in canvas.placed if p.primary) == least
    short = [p for p in canvas.placed if p.shortened]
    assert short
    assert all(p.cap == least and p.text.endswith("…") for p in short)
    assert [p.text for p in canvas.placed].count("188") == 5  # a long name never costs the number


def test_a_phase_of_german_words_stays_whole() -> None:
    phase = "Runde 2, Austausch 3: aufdecken"
    for size in (LARGE, SMALL):
        assert phase in texts(replace(GAME, phase=phase), size)


def test_a_phase_that_would_be_set_small_gives_way_to_its_short_form() -> None:
    board = replace(GAME, phase="Angelika: ein Plättchen oder nichts", short="Plättchen oder nichts")
    assert board.phase in texts(board, LARGE)
    assert caps(board, SMALL)[board.short] >= 13


def test_wide_names_beside_points_of_three_signs_get_a_line_each() -> None:
    names = ("Gwendolyn", "Magdalena", "Annemarie", "Hannelore", "Katharina")
    board = replace(GAME, seats=tuple(Seat(name, Mark.TO_ACT, value="-16") for name in names), counts=SUPPLY[:2])
    placed = {p.text: p for p in lay_out(board, SMALL).placed}
    assert min(placed[name].cap for name in names) >= 12
    assert {"10", "7"} <= placed.keys()
    assert len({placed[name].box.left // 10 for name in names}) == 1


def test_rows_shrink_before_a_name_beside_a_notice_is_cut() -> None:
    seats = tuple(Seat(name, Mark.TO_ACT, value="-16") for name in NAMES)
    placed = lay_out(replace(GAME, seats=seats, notice=Notice(NOTICE)), SMALL).placed
    assert not [p.text for p in placed if p.shortened]
    assert min(p.cap for p in placed if p.primary) >= 10


def covered(a: Box, b: Box) -> int:
    """Pixels that two boxes share, less what an accent may reach into the line above."""
    width = min(a.right, b.right) - max(a.left, b.left)
    height = min(a.bottom, b.bottom) - max(a.top, b.top)
    return max(0, width) * max(0, height - max(2, min(a.height, b.height) // 6))


WORDS = st.text(st.sampled_from("abgijmwWÄÖÜßQ1 -ł"), min_size=1, max_size=24)
BOARDS = st.builds(
    Board,
    title=WORDS,
    phase=WORDS,
    seats=st.lists(
        st.builds(Seat, WORDS, st.sampled_from(Mark), st.booleans(), st.sampled_from(["", "7", "42", "120"])),
        min_size=2,
        max_size=5,
    ).map(tuple),
    counts=st.lists(
        st.builds(Count, st.integers(0, 99), WORDS, st.sampled_from(["", "W", "Gn"]), st.sampled_from(Shape)),
        max_size=6,
    ).map(tuple),
    foot=st.lists(st.builds(Print, WORDS, st.just("3f9a21c4" * 8)), max_size=6).map(tuple),
    notice=st.none() | st.builds(Notice, WORDS, st.booleans()),
    join=st.sampled_from([None, None, Join(URL, "Mitspielen"), Join(URL, "2.", wifi_text("Netz", "geheim12"), "1.")]),
)


@settings(deadline=None, max_examples=60)
@given(board=BOARDS, size=st.sampled_from([LARGE, SMALL, (400, 300), (296, 128)]))
def test_no_text_leaves_the_board_or_covers_another(board: Board, size: tuple[int, int]) -> None:
    placed = lay_out(board, size).placed
    for one in placed:
        assert one.box.left >= -1
        assert one.box.right <= size[0] + 1
        assert one.box.top >= -2
        assert one.box.bottom <= size[1] + 2
    for one, other in combinations(placed, 2):
        assert covered(one.box, other.box) == 0, (one, other)


@settings(deadline=None, max_examples=40)
@given(text=st.text(max_size=60), size=st.sampled_from([LARGE, SMALL]))
def test_any_text_can_be_drawn(text: str, size: tuple[int, int]) -> None:
    draw(Board(text, text, (Seat(text, value=text[:3]),), (Count(1, text, text[:2]),), (), Notice(text)), size)
    draw(Board(text, ranking=(Place(1, text, text[:3]),)), size)


def test_letters_the_font_lacks_are_replaced() -> None:
    assert ink.spell("Łukasz Größe\nÇa\u0000 va") == "Łukasz Größe Ça va"
    assert ink.spell("Иван ②") == "???? 2"
    assert ink.spell("Nguyê\u0303n") == "Nguyen"


# --- what it says


def test_marks_differ_by_shape() -> None:
    for size in (LARGE, SMALL):
        pictures = [np.asarray(draw(Board("", "", (Seat("A", m), Seat("B"))), size, "bw")) for m in Mark]
        for one, other in combinations(pictures, 2):
            assert np.count_nonzero(one != other) > 30  # pixels of the thinnest sign


def test_shapes_differ() -> None:
    pictures = [np.asarray(draw(Board("", counts=(Count(1, shape=s),)), SMALL, "bw")) for s in Shape]
    for one, other in combinations(pictures, 2):
        assert np.count_nonzero(one != other) > 20


def test_red_marks_only_what_needs_a_person() -> None:
    calm = replace(GAME, seats=tuple(replace(seat, mark=Mark.SEALED) for seat in GAME.seats))
    assert RED not in np.asarray(draw(calm, LARGE))
    assert RED in np.asarray(draw(replace(calm, notice=Notice("Wo ist Ziel 2?", True)), LARGE))


def test_question_and_difference_have_different_signs() -> None:
    assert "?" in texts(replace(GAME, notice=Notice("Liegt Ziel 2 quer", True)), LARGE)
    assert "!" in texts(replace(GAME, notice=Notice("Ziel 2 fehlt")), LARGE)


def test_the_start_player_has_a_badge() -> None:
    assert "1" in texts(Board("", "x", (Seat("A", start=True), Seat("B"))), LARGE)
    assert "1" not in texts(Board("", "x", (Seat("A"), Seat("B"))), LARGE)


def test_where_it_is_tight_a_badge_takes_no_room_that_a_name_needs() -> None:
    seats = [Seat(name, value="12") for name in NAMES]
    for mark, badges in ((Mark.NONE, 1), (Mark.TO_ACT, 0)):
        seats[1] = replace(seats[1], mark=mark, start=True)
        board = replace(GAME, seats=tuple(seats))
        assert texts(board, SMALL).count("1") == badges
        assert caps(board, SMALL)["Christian"] >= 13


@pytest.mark.parametrize(("size", "digits"), [(LARGE, 8), (SMALL, 4)])
def test_the_foot_shows_equal_beginnings_of_all_fingerprints(size: tuple[int, int], digits: int) -> None:
    shown = texts(replace(GAME, foot=PRINTS), size)
    assert {f"{p.label[:1]} {p.hex[:digits]}" for p in PRINTS} <= {f"{t[:1]} {t.split()[-1]}" for t in shown}


def test_the_foot_shows_names_where_there_is_room() -> None:
    named = tuple(Print(name, "3f9a21c4" * 8) for name in ("Hedwig", "Christian", "Protokoll"))
    assert {f"{p.label} 3f9a21c43f9a21c4" for p in named} <= set(texts(replace(GAME, foot=named), LARGE))
    assert {"H 3f9a21c4", "C 3f9a21c4", "P 3f9a21c4"} <= set(texts(replace(GAME, foot=named), SMALL))


def test_on_the_small_panel_a_notice_takes_the_place_of_the_phase() -> None:
    shown = texts(replace(GAME, notice=Notice("Ziel 2 fehlt")), SMALL)
    assert "Ziel 2 fehlt" in shown
    assert GAME.phase not in shown
    assert set(NAMES) <= set(shown)


@pytest.mark.parametrize("size", [LARGE, SMALL])
def test_fingerprints_stand_there_whatever_else_does(size: tuple[int, int]) -> None:
    shown = texts(replace(GAME, foot=PRINTS, notice=Notice(NOTICE)), size)
    assert len([text for text in shown if "3f9a" in text]) == len(PRINTS)
    assert set(NAMES) <= set(shown)


def test_ranking_shows_ties_as_equals() -> None:
    board = Board("Fiji", "Ende", ranking=(Place(1, "A", "5"), Place(1, "B", "5"), Place(3, "C", "2")))
    picture = np.asarray(draw(board, LARGE))
    rows = [np.count_nonzero(picture[y : y + 60] == RED) for y in range(80, 320, 80)]
    shown = texts(board, LARGE)
    assert rows[0] > 0
    assert rows[1] > 0
    assert "3" in shown
    assert "1" not in shown  # a star


# --- getting in


@pytest.mark.parametrize("size", [LARGE, SMALL])
@pytest.mark.parametrize("colours", ["bwr", "bw"])
def test_phones_can_read_the_codes(size: tuple[int, int], colours: Colours) -> None:
    wifi = wifi_text("Spieleabend", "geheim:1234")
    assert read_qr(draw(replace(GAME, join=Join(URL, "Mitspielen")), size, colours)) == {URL}
    board = replace(GAME, join=Join(URL, "2. Mitspielen", wifi, "1. WLAN"))
    assert read_qr(draw(board, size, colours)) == {URL, wifi}


def test_the_address_stands_there_to_be_typed() -> None:
    assert "192.168.178.31:8000/join/abcd" in texts(replace(GAME, join=Join(URL)), LARGE)
    assert "192.168.178.31:8000" in texts(replace(GAME, join=Join(URL)), SMALL)


def test_a_code_too_fine_for_the_panel_is_left_out() -> None:
    board = replace(GAME, join=Join(URL + "x" * 900, "Mitspielen"))
    assert read_qr(draw(board, SMALL)) <= {""}
    assert "Mitspielen" in texts(board, SMALL)
    board = replace(GAME, join=Join(URL, "Mitspielen", wifi_text("Netz", "x" * 900)))
    assert read_qr(draw(board, SMALL)) == {URL}


def test_wifi_text_escapes_what_has_a_meaning() -> None:
    assert wifi_text("Café; oben", 'a,b:c\\"') == 'WIFI:T:WPA;S:Café\\; oben;P:a\\,b\\:c\\\\\\";;'
    assert wifi_text("offen") == "WIFI:T:nopass;S:offen;;"
    assert wifi_text("still", "12345678", hidden=True) == "WIFI:T:WPA;S:still;P:12345678;H:true;;"
