"""Decks in their folders: kept all at once, read as they were kept, and refused with a reason when damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.deck import Deck, Face, NoDeck, Piece

SIZE = (20.0, 30.0)


def picture(seed: int, channels: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (60, 40, channels), dtype=np.uint8)


def deck(*seeds: int) -> Deck:
    """A deck of a face for each number and one piece."""
    faces = tuple(Face(f"face {seed}", "card", SIZE, picture(seed), 2.0) for seed in seeds)
    log = Piece("log", picture(7), picture(8, 1)[:, :, 0], 2.0, (-3.0, 4.0, 900.0))
    return Deck("whist", faces, (log,), {"face 1": {"suit": "hearts"}})


def same(one: Deck, other: Deck) -> bool:
    alike = [(a.name, a.size) == (b.name, b.size) for a, b in zip(one.faces, other.faces, strict=True)]
    alike += [np.array_equal(a.image, b.image) for a, b in zip(one.faces, other.faces, strict=True)]
    alike += [np.array_equal(a.mask, b.mask) for a, b in zip(one.pieces, other.pieces, strict=True)]
    return all(alike) and one.attributes == other.attributes


def test_a_deck_is_read_as_it_was_kept(tmp_path: Path):
    deck(1, 2).save(tmp_path)
    assert same(Deck.load(tmp_path), deck(1, 2))


def test_a_deck_whose_pictures_are_numbered_is_read_and_replaced(tmp_path: Path):
    deck(1, 2).save(tmp_path)
    said = json.loads((tmp_path / "deck.json").read_text("utf-8"))
    for number, entry in enumerate(said["faces"]):
        (tmp_path / entry["file"]).rename(tmp_path / f"face-{number:03}.png")
        entry["file"] = f"face-{number:03}.png"
    (tmp_path / "deck.json").write_text(json.dumps(said), "utf-8")
    assert same(Deck.load(tmp_path), deck(1, 2))
    (tmp_path / "face-of-the-box.png").touch()
    deck(2, 3).save(tmp_path)
    assert same(Deck.load(tmp_path), deck(2, 3))
    left = {path.name for path in tmp_path.iterdir()}
    assert "face-of-the-box.png" in left, "what is not the deck's stays"
    assert len(left) == 2 + 1 + 1 + 1, "two faces, a piece, deck.json, and that"


@pytest.mark.parametrize("stops", ["face-", "deck.json"])
def test_a_deck_that_cannot_be_kept_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stops: str):
    deck(1, 2).save(tmp_path)
    replace = Path.replace

    def full(self: Path, target: Path) -> Path:
        if target.name.startswith(stops):
            raise OSError(28, "No space left on device", str(self))
        return replace(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", full)
        with pytest.raises(OSError, match="No space left"):
            deck(2, 3, 1).save(tmp_path)
    assert same(Deck.load(tmp_path), deck(1, 2))
    deck(2, 3, 1).save(tmp_path)
    assert same(Deck.load(tmp_path), deck(2, 3, 1))
    assert not list(tmp_path.glob("*.new"))


def whole(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda said: said.__setitem__(key, value)


def first(key: str, value: Any, of: str = "faces") -> Callable[[dict[str, Any]], None]:
    return lambda said: said[of][0].__setitem__(key, value)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (whole("attributes", []), "attributes"),
        (whole("attributes", None), "attributes"),
        (whole("attributes", {"face 1": "red"}), "attributes"),
        (whole("game", None), "None is no game"),
        (whole("game", 5), "5 is no game"),
        (whole("faces", {"a": 1}), "its faces are no list"),
        (whole("faces", [3]), "damaged"),
        (whole("beads", 5), "its beads are no list"),
        (first("size_mm", [0, 0]), "0 is no measure"),
        (first("size_mm", [-20, 30]), "-20 is no measure"),
        (first("size_mm", [float("nan"), 30]), "nan is no measure"),
        (first("size_mm", [1e9, 30]), "which its picture is not"),
        (first("size_mm", ["20", "30"]), "'20' is no measure"),
        (first("size_mm", 20), "damaged"),
        (first("px_per_mm", 0), "0 is no measure"),
        (first("px_per_mm", 1e-300), "which its picture is not"),
        (first("name", 7), "7 is no name"),
        (first("name", ["a"]), "is no name"),
        (first("kind", None), "None is no kind"),
        (first("file", "."), "cannot be read"),
        (first("file", "none.png"), "is missing"),
        (first("eye_mm", [1, 2], "pieces"), "damaged"),
        (first("eye_mm", [1, 2, None], "pieces"), "None is no measure"),
        (lambda said: said["faces"][0].pop("kind"), "it does not say 'kind'"),
    ],
)
def test_a_damaged_deck_file_is_refused(tmp_path: Path, spoil: Callable[[dict[str, Any]], None], said: str):
    deck(1).save(tmp_path)
    data = json.loads((tmp_path / "deck.json").read_text("utf-8"))
    spoil(data)
    (tmp_path / "deck.json").write_text(json.dumps(data), "utf-8")
    with pytest.raises(NoDeck) as caught:
        Deck.load(tmp_path)
    assert said in str(caught.value)
    assert "teach" in str(caught.value)


@pytest.mark.parametrize("picture_of", ["face", "piece"])
@pytest.mark.parametrize("size", [None, (0, 0), (1, 1), (20, 90)])
def test_a_damaged_picture_is_refused(tmp_path: Path, picture_of: str, size: tuple[int, int] | None):
    deck(1).save(tmp_path)
    (path,) = tmp_path.glob(f"{picture_of}-*.png")
    path.unlink()
    if size is None:
        path.mkdir()
    elif size == (0, 0):
        path.touch()
    else:
        cv2.imwrite(str(path), np.zeros((*size, 3), np.uint8))  # a piece's picture needs a fourth channel, too
    with pytest.raises(NoDeck, match="teach"):
        Deck.load(tmp_path)


def test_a_folder_in_the_place_of_the_deck_file_is_refused(tmp_path: Path):
    (tmp_path / "deck.json").mkdir()
    with pytest.raises(NoDeck, match="cannot be read"):
        Deck.load(tmp_path)
