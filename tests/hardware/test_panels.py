"""Every installed panel does what `Panel` promises, shown by the simulation it brings; then each one's own."""

from __future__ import annotations

import doctest
import io
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hardware import panels
from hardware.ink import PALETTE
from hardware.panels import Browser, Panel, PanelError, PngFile, Readback, kinds, open_panel
from hardware.scoreboard import Board, Seat, draw


@pytest.fixture(params=sorted(kinds()))
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Panel, Readback]]:
    panel, readback = kinds()[request.param].simulated(tmp_path)
    yield panel, readback
    panel.close()


def picture(panel: Panel, name: str = "Hedwig") -> Image.Image:
    return draw(Board("Fiji", f"{name} ist dran", (Seat(name), Seat("Jörg"))), panel.size, panel.colours)


def same(one: Image.Image, other: Image.Image) -> bool:
    return np.array_equal(np.asarray(one.convert("RGB")), np.asarray(other.convert("RGB")))


def test_ours_are_installed() -> None:
    assert {"browser", "png-file"} <= set(kinds())


# --- conformance


def test_it_shows_what_it_is_given(made: tuple[Panel, Readback]) -> None:
    panel, readback = made
    for name in ("Hedwig", "Angelika", "Angelika"):
        panel.show(picture(panel, name))
        assert same(readback(), picture(panel, name))


def test_a_partial_refresh_ends_in_the_same_picture(made: tuple[Panel, Readback]) -> None:
    panel, readback = made
    panel.show(picture(panel))
    for name in ("Angelika", "Marcel"):
        panel.show(picture(panel, name), full=False)
        assert same(readback(), picture(panel, name))


def test_it_wakes_up_to_show_something(made: tuple[Panel, Readback]) -> None:
    panel, readback = made
    panel.show(picture(panel))
    panel.sleep()
    panel.sleep()
    assert same(readback(), picture(panel))
    panel.show(picture(panel, "Marcel"), full=False)
    assert same(readback(), picture(panel, "Marcel"))


def test_the_picture_is_not_changed_by_what_happens_to_the_image(made: tuple[Panel, Readback]) -> None:
    panel, readback = made
    image = picture(panel)
    panel.show(image)
    image.paste(0, (0, 0, *image.size))
    assert same(readback(), picture(panel))


def test_what_does_not_fit_is_refused_and_changes_nothing(made: tuple[Panel, Readback]) -> None:
    panel, readback = made
    panel.show(picture(panel))
    width, height = panel.size
    mode = panels.MODES[panel.colours]
    wrong = [Image.new("RGB", panel.size), Image.new(mode, (width + 1, height)), Image.new(mode, (height, width))]
    if panel.colours == "bwr":
        blue = Image.new("P", panel.size)
        blue.putpalette((0, 0, 255, *PALETTE[3:]))
        fourth = Image.new("P", panel.size, 3)
        fourth.putpalette((*PALETTE, 0, 0, 255))
        wrong += [blue, fourth]
    for image in wrong:
        with pytest.raises(ValueError, match="this panel"):
            panel.show(image)
    assert same(readback(), picture(panel))


def test_closed_is_closed(made: tuple[Panel, Readback]) -> None:
    panel, readback = made
    panel.show(picture(panel))
    panel.close()
    panel.close()
    assert same(readback(), picture(panel))
    with pytest.raises(PanelError, match="Open it again"):
        panel.show(picture(panel))


# --- each one's own


def test_a_png_file_is_always_whole(tmp_path: Path) -> None:
    panel = open_panel("png-file", str(tmp_path / "board.png"), (250, 122), "bw")
    panel.show(picture(panel))
    stop = threading.Event()
    broken: list[Exception] = []

    def look() -> None:
        while not stop.is_set():
            try:
                Image.open(io.BytesIO((tmp_path / "board.png").read_bytes())).load()
            except Exception as error:
                broken.append(error)

    reader = threading.Thread(target=look)
    reader.start()
    for n in range(60):
        panel.show(picture(panel, str(n)))
    stop.set()
    reader.join()
    assert broken == []
    assert [p.name for p in tmp_path.iterdir()] == ["board.png"]
    assert (tmp_path / "board.png").stat().st_mode & 0o777 == 0o644


def test_a_png_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    panel = PngFile(tmp_path / "no" / "board.png")
    with pytest.raises(PanelError, match=r"board\.png cannot be written.*Choose another"):
        panel.show(picture(panel))


def test_a_file_that_cannot_be_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "board.png").mkdir()
    panel = PngFile(tmp_path / "board.png")
    with pytest.raises(PanelError):
        panel.show(picture(panel))
    assert [p.name for p in tmp_path.iterdir()] == ["board.png"]


def test_a_png_file_needs_a_name() -> None:
    with pytest.raises(PanelError, match=r"png-file=board\.png"):
        open_panel("png-file")


def test_a_browser_counts_and_keeps_the_newest() -> None:
    panel = Browser((250, 122), "bw")
    assert panel.newest == (0, b"")
    panel.show(picture(panel))
    panel.show(picture(panel, "Marcel"))
    number, data = panel.newest
    assert number == 2
    assert same(Image.open(io.BytesIO(data)), picture(panel, "Marcel"))


def test_who_waits_for_a_browser_gets_the_next_picture() -> None:
    panel = Browser((250, 122), "bw")
    got: list[int] = []
    waiting = threading.Thread(target=lambda: got.append(panel.wait(after=0, timeout=60)[0]))
    waiting.start()
    panel.show(picture(panel))
    waiting.join()
    assert got == [1]
    assert panel.wait(after=1, timeout=0)[0] == 1
    closing = threading.Thread(target=lambda: got.append(panel.wait(after=1, timeout=60)[0]))
    closing.start()
    panel.close()
    closing.join()
    assert got == [1, 1]


def test_an_unknown_panel_is_answered_with_the_known_ones() -> None:
    with pytest.raises(PanelError, match=r"there are: .*png-file"):
        open_panel("typewriter")


def test_the_example_in_the_text() -> None:
    assert doctest.testmod(panels).failed == 0
