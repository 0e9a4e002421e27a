"""Sheets: what the printer gets, measured in the PDF itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from calibration import printables
from calibration.house import Face
from calibration.lens import Chart
from calibration.printables import PAPERS
from vision import lettering

DPI = 100
MM = DPI / 25.4


def pages(path: Path) -> list[np.ndarray]:
    """The PDF's pages as another program sees them, grey, 100 dots an inch."""
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm (poppler-utils) is not installed")
    subprocess.run(["pdftoppm", "-r", str(DPI), "-gray", str(path), str(path.with_suffix(""))], check=True)
    return [cv2.imread(str(p), cv2.IMREAD_GRAYSCALE) for p in sorted(path.parent.glob(f"{path.stem}-*.pgm"))]


def found(page: np.ndarray) -> dict[int, np.ndarray]:
    """Markers by number, corners in millimetres of paper."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)
    quads, ids, _ = detector.detectMarkers(page)
    return {int(i): (quad[0] + 0.5) / MM for quad, i in zip(quads, ids.ravel(), strict=True)}


@pytest.mark.parametrize("paper", sorted(PAPERS))
@pytest.mark.parametrize("side", [40.0, 25.0])
def test_markers_measure_what_they_say(paper: str, side: float, tmp_path: Path) -> None:
    assert printables.write(printables.markers(PAPERS[paper], range(4), side), tmp_path / "m.pdf") == 1
    (page,) = pages(tmp_path / "m.pdf")
    width, height = PAPERS[paper]
    assert page.shape == pytest.approx((height * MM, width * MM), abs=1.5)
    markers = found(page)
    assert sorted(markers) == [0, 1, 2, 3]
    for quad in markers.values():
        sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
        assert sides == pytest.approx([side] * 4, abs=0.25)


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_the_ruler_is_as_long_as_it_says(paper: str, tmp_path: Path) -> None:
    printables.write(printables.seat_cards(PAPERS[paper]), tmp_path / "s.pdf")
    (page,) = pages(tmp_path / "s.pdf")
    row = page[round((PAPERS[paper][1] - printables.MARGIN) * MM)]
    dark = np.flatnonzero(row < 128)
    assert (dark[-1] - dark[0] + 1) / MM == pytest.approx(100.0, abs=0.5)


def test_ten_markers_take_the_pages_they_need_and_each_number_once(tmp_path: Path) -> None:
    count = printables.write(printables.markers(PAPERS["a4"], range(10), 60.0), tmp_path / "m.pdf")
    numbers = [n for page in pages(tmp_path / "m.pdf") for n in found(page)]
    assert count > 1
    assert sorted(numbers) == list(range(10))


def test_seat_and_zone_cards_carry_their_own_numbers(tmp_path: Path) -> None:
    printables.write(printables.seat_cards(PAPERS["a4"], ["Ada", "Grace"]), tmp_path / "s.pdf")
    printables.write(printables.zone_cards(PAPERS["letter"], ["supply", "pile", "seat1.bid"]), tmp_path / "z.pdf")
    assert sorted(found(pages(tmp_path / "s.pdf")[0])) == [10, 11]
    assert sorted(found(pages(tmp_path / "z.pdf")[0])) == [20, 21, 22]


def test_a_zones_card_has_the_same_number_however_many_play() -> None:
    order = ["supply", "seat1", "seat2", "seat1.pile", "seat2.pile"]
    names = ["supply", "seat1", "seat1.pile"]
    (page,) = printables.zone_cards(PAPERS["a4"], names, order=order)
    assert sorted(found(np.asarray(page.image.convert("L")))) == [20, 21, 23]


def test_names_are_written_with_their_accents() -> None:
    missing = bytes(lettering.font(40.0).getmask("\U0010ffff"))
    assert all(bytes(lettering.font(40.0).getmask(letter)) != missing for letter in "äöüßéèëçñåøłžčőğı×“”")
    composed, apart = (next(printables.seat_cards(PAPERS["a4"], [name])) for name in ("Zo\u00eb", "Zoe\u0308"))
    assert composed.image.tobytes() == apart.image.tobytes()


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_the_lens_chart_is_read_from_the_paper_true_to_scale(paper: str, tmp_path: Path) -> None:
    printables.write(printables.lens_chart(PAPERS[paper]), tmp_path / "c.pdf")
    (page,) = pages(tmp_path / "c.pdf")
    chart = Chart()
    corners = chart.corners(page)
    assert corners is not None
    solid, seen = corners
    assert len(solid) == (chart.columns - 1) * (chart.rows - 1)
    span = seen[solid[:, 0].argmax()] - seen[solid[:, 0].argmin()]
    assert np.ptp(seen[:, 0]) / MM == pytest.approx((chart.columns - 2) * chart.square_mm, abs=0.3)
    assert span[0] > 0  # not mirrored


def card(grey: int, size: tuple[float, float], copies: int = 1, back: str | None = None) -> Face:
    """A face of one grey with a white notch in its upper left corner."""
    image = Image.new("RGB", (round(size[0] * 6), round(size[1] * 6)), (grey, grey, grey))
    image.paste((255, 255, 255), (0, 0, 60, 60))
    return Face(image, size, copies=copies, back=back)


def test_a_deck_has_every_copy_of_every_card_in_its_size(tmp_path: Path) -> None:
    faces = {"a": card(40, (59.0, 91.0), 5), "b": card(120, (59.0, 91.0), 6), "c": card(80, (91.0, 59.0), 2)}
    assert printables.write(printables.deck(PAPERS["a4"], faces, "test"), tmp_path / "d.pdf") == 3
    areas = {40: 0.0, 120: 0.0, 80: 0.0}
    for page in pages(tmp_path / "d.pdf"):
        for grey in areas:
            areas[grey] += float((np.abs(page.astype(int) - grey) < 8).sum()) / MM**2
    one = 59 * 91 - 100
    assert areas[40] == pytest.approx(5 * one, rel=0.02)
    assert areas[120] == pytest.approx(6 * one, rel=0.02)
    assert areas[80] == pytest.approx(2 * one, rel=0.02)


def test_backs_lie_behind_their_fronts_when_the_paper_is_turned_over(tmp_path: Path) -> None:
    faces = {"a": card(60, (59.0, 91.0), 2, "back"), "back": card(160, (59.0, 91.0))}
    assert printables.write(printables.deck(PAPERS["a4"], faces, "test"), tmp_path / "d.pdf") == 2
    front, back = pages(tmp_path / "d.pdf")
    fronts, backs = (np.abs(page.astype(int) - grey) < 8 for page, grey in ((front, 60), (back[:, ::-1], 160)))
    assert (fronts & backs).sum() > 0.95 * (fronts | backs).sum() - 2 * (10 * MM) ** 2


def test_a_board_larger_than_the_paper_is_printed_in_parts_that_add_up(tmp_path: Path) -> None:
    board = card(60, (430.0, 270.0))
    board.image.paste((160, 160, 160), (0, 0, board.image.width // 2, board.image.height))
    assert printables.write(printables.deck(PAPERS["a4"], {"map": board}, "map"), tmp_path / "d.pdf") == 4
    parts = pages(tmp_path / "d.pdf")
    for grey, share in ((60, 0.5), (160, 0.5)):
        area = sum(float((np.abs(part.astype(int) - grey) < 8).sum()) for part in parts) / MM**2
        assert area == pytest.approx(share * 430 * 270, rel=0.01)
    assert [int((np.abs(part.astype(int) - 60) < 8).sum()) > 9999 for part in parts] == [False, True, False, True]


def test_what_cannot_be_printed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="0 to 9, not 12"):
        printables.markers(PAPERS["a4"], [3, 12])
    with pytest.raises(ValueError, match="6 seat cards, not 7"):
        printables.seat_cards(PAPERS["a4"], ["x"] * 7)
    with pytest.raises(ValueError, match="20 zone cards, not 21"):
        printables.zone_cards(PAPERS["a4"], ["x"] * 21)
    with pytest.raises(ValueError, match="do not fit"):
        printables.write(printables.markers(PAPERS["a4"], [1], 200.0), tmp_path / "m.pdf")
    with pytest.raises(ValueError, match="nothing to print"):
        printables.write([], tmp_path / "d.pdf")
