"""Teaching: what a good sheet gives, and that a bad one is refused with the reason, what to do, and a picture."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from calibration.teach import Plan, Refused, contact_sheet, extended, spots_of_light, teach, twins
from companion.cli import main
from companion.demo.stage import House
from companion.eyes import check
from companion.games.game import Malformed
from tests.vision.islands import SIZE, tiles
from vision.deck import Deck
from vision.observe import named_colours
from vision.simulated import BeadAt, Placed, Scene, SimulatedTable

EXAMPLES = Path(__file__).resolve().parents[2] / "calibration" / "examples" / "fiji"
SHEET = "sheet-3.jpg"  #: one row of the four goals
GOALS = ["goal-green", "goal-red", "goal-yellow", "goal-blue"]
SAYS = {name: {"colour": name[5:], "upright": "most", "turned": "fewest"} for name in GOALS}
Image = NDArray[np.uint8]
Made = Callable[..., Path]


def example() -> dict[str, Any]:
    """The sheet of goals in the shipped example."""
    whole = json.loads((EXAMPLES / "teach.json").read_text("utf-8"))
    (sheet,) = (sheet for sheet in whole["sheets"] if sheet["photo"] == SHEET)
    return dict(sheet)


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """A teach.json beside a photo: the example's with something changed."""

    def make(change: Callable[[Image], Image] = lambda image: image, **other: Any) -> Path:
        photo = cv2.imread(str(EXAMPLES / SHEET))
        assert photo is not None
        cv2.imwrite(str(tmp_path / SHEET), change(np.asarray(photo, np.uint8)))
        sheet = {**example(), **{k: v for k, v in other.items() if k in ("components", "columns", "size_mm", "kind")}}
        plan = {"game": "fiji", "sheets": [sheet], "attributes": other.get("attributes", {})}
        plan |= {k: v for k, v in other.items() if k == "beads"}
        path = tmp_path / "teach.json"
        path.write_text(json.dumps(plan, indent=1), "utf-8")
        return path

    return make


@pytest.fixture(scope="module")
def goals() -> Deck:
    plan = Plan.read(EXAMPLES / "teach.json")
    only = tuple(sheet for sheet in plan.sheets if sheet.photo == SHEET)
    return teach(Plan("fiji", only, (), SAYS), EXAMPLES)


def refused(path: Path) -> Refused:
    with pytest.raises(Refused) as caught:
        teach(Plan.read(path), path.parent)
    return caught.value


def test_a_sheet_gives_its_faces_in_reading_order(goals: Deck):
    assert [face.name for face in goals.faces] == GOALS
    colours = {face.name: face.image.reshape(-1, 3).astype(float).mean(axis=0) for face in goals.faces}
    assert colours["goal-red"][2] == max(colour[2] for colour in colours.values())
    assert goals.attributes["goal-blue"]["upright"] == "most"


@pytest.mark.thorough
def test_tiles_that_only_look_alike_are_cut_where_they_lie(tmp_path: Path):
    faces = tiles(18)
    rng = np.random.default_rng(1)
    laid = [
        Placed(name, (150.0 + 66 * (i % 9), 160.0 + 70 * (i // 9)), float(rng.uniform(-4, 4)))
        for i, name in enumerate(faces)
    ]
    sheet = SimulatedTable(faces, 1, size_px=(2400, 1350)).render(Scene(tuple(laid)))
    cv2.imwrite(str(tmp_path / "sheet.png"), sheet)
    told = {"photo": "sheet.png", "columns": 9, "size_mm": SIZE, "components": list(faces)}
    (tmp_path / "teach.json").write_text(json.dumps({"game": "islands", "sheets": [told]}), "utf-8")
    deck = teach(Plan.read(tmp_path / "teach.json"), tmp_path)
    assert max(abs(turned(face.image, faces[face.name].image)) for face in deck.faces) < 2


def turned(face: Image, drawn: Image) -> float:
    """By how many degrees a taught face is turned against what was drawn."""
    seen = cv2.copyMakeBorder(face, 3, 3, 3, 3, cv2.BORDER_REPLICATE)
    middle = (drawn.shape[1] / 2 - 0.5, drawn.shape[0] / 2 - 0.5)

    def like(turn: float) -> float:
        back = cv2.getRotationMatrix2D(middle, turn, 1)
        whole = cv2.warpAffine(drawn, back, drawn.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        small = cv2.resize(whole, face.shape[1::-1], interpolation=cv2.INTER_AREA)
        return float(cv2.matchTemplate(seen, small, cv2.TM_CCOEFF_NORMED).max())

    return max((float(turn) for turn in np.arange(-6, 6.01, 0.5)), key=like)


def test_markers_of_another_size_are_measured_by_it(made: Made, goals: Deck):
    width, height = goals.faces[0].size
    path = made(size_mm=[0.75 * width, 0.75 * height])
    small = teach(Plan.read(path), path.parent, marker_mm=30.0)
    assert [face.name for face in small.faces] == GOALS


def test_a_deck_is_the_same_after_it_was_kept(goals: Deck, tmp_path: Path):
    goals.save(tmp_path / "deck")
    kept = Deck.load(tmp_path / "deck")
    assert kept.attributes == goals.attributes
    assert all(np.array_equal(a.image, b.image) for a, b in zip(kept.faces, goals.faces, strict=True))


def test_the_colours_of_tokens_are_kept_with_the_deck(made: Made, tmp_path: Path):
    path = made(beads=["orange", "red", "orange"])
    deck = teach(Plan.read(path), tmp_path)
    deck.save(tmp_path / "deck")
    kept = Deck.load(tmp_path / "deck")
    assert kept.beads == ("orange", "red")
    assert extended(kept, Deck("fiji", (), beads=("red", "purple"))).beads == ("orange", "red", "purple")
    assert [hue.name for hue in named_colours(kept)] == ["red", "orange"]
    assert "of red, orange, yellow, green, blue, purple" in str(refused(made(beads=["teal"])))
    assert '"beads" must be a list' in str(refused(made(beads="red")))


def test_a_game_of_nothing_but_tokens_is_taught_by_their_colours(tmp_path: Path):
    glass = tuple(BeadAt(colour, (200.0 + 90 * i, 260.0)) for i, colour in enumerate(("red", "green", "blue")))
    cv2.imwrite(str(tmp_path / "table.png"), SimulatedTable({}, 1).render(Scene(beads=glass)))
    (tmp_path / "teach.json").write_text('{"game": "marbles", "beads": ["red", "green", "blue"]}', "utf-8")
    code, out, _ = run("teach", "marbles", "--sheets", tmp_path / "teach.json", "--deck", tmp_path / "deck")
    assert (code, out.strip()) == (0, f"Learned 0 faces and 3 colours of beads of marbles: {tmp_path / 'deck'}")
    code, out, _ = run("recognise", tmp_path / "table.png", "--deck", tmp_path / "deck", "--json")
    said = json.loads(out)
    assert (code, said["warnings"]) == (0, [])
    assert sorted(bead["colour"] for bead in said["beads"]) == ["blue", "green", "red"]


def test_single_faces_are_replaced_and_new_ones_added(goals: Deck):
    red = next(face for face in goals.faces if face.name == "goal-red")
    new = Deck("fiji", (red,), (), {"goal-red": {"colour": "red", "upright": "fewest", "turned": "most"}})
    deck = extended(goals, new)
    assert sorted(face.name for face in deck.faces) == sorted(GOALS)
    assert (deck.attributes["goal-red"]["upright"], deck.attributes["goal-blue"]["upright"]) == ("fewest", "most")
    with pytest.raises(Refused, match="fiji"):
        extended(goals, Deck("maori", (red,)))


def test_faces_that_look_alike_and_mean_different_things_are_named(goals: Deck):
    red = next(face for face in goals.faces if face.name == "goal-red")
    other = replace(red, name="goal-rouge")
    pairs = twins(Deck("fiji", (*goals.faces, other), (), {**goals.attributes, "goal-rouge": {"colour": "blue"}}))
    assert ("goal-red", "goal-rouge") in pairs
    same = Deck("fiji", (*goals.faces, other), (), {**goals.attributes, "goal-rouge": goals.attributes["goal-red"]})
    assert ("goal-red", "goal-rouge") not in twins(same)


def test_a_row_with_too_few_names_is_told(made: Made):
    error = refused(made(components=GOALS[:3]))
    assert "row 1 shows 4 components, but 3 are named" in str(error)
    assert error.picture is not None
    error = refused(made(components=[*GOALS, "goal-black"], columns=5))
    assert "row 1 shows 4 components, but 5 are named" in str(error)


def test_a_photo_too_blurred_for_its_markers_says_so(made: Made):
    shaken = np.full((1, 61), 1 / 61, np.float32)
    error = refused(made(lambda image: np.asarray(cv2.filter2D(image, -1, shaken), np.uint8)))
    assert "fewer than two table markers (ids 0–9) can be seen, and the photo is blurred" in str(error)
    assert error.picture is not None


def test_a_blurred_photo_is_refused(made: Made):
    error = refused(made(lambda image: np.asarray(cv2.GaussianBlur(image, (0, 0), 9), np.uint8)))
    assert any(word in str(error) for word in ("blurred", "markers"))
    error = refused(made(lambda image: np.asarray(cv2.GaussianBlur(image, (0, 0), 3.5), np.uint8)))
    assert "blurred" in str(error)
    assert "hold the camera still" in str(error)
    assert error.picture is not None


def place_of(goals: Deck, name: str) -> tuple[int, int, int, int]:
    """About where a goal lies on the example's photo: x, y, width, height in pixels."""
    photo = cv2.imread(str(EXAMPLES / SHEET))
    face = next(face for face in goals.faces if face.name == name).image
    assert photo is not None
    photo = cv2.resize(photo, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    best = (0.0, (0, 0, 0, 0))
    for factor in np.linspace(0.1, 0.4, 25):
        small = cv2.resize(face, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        if small.shape[0] < photo.shape[0] and small.shape[1] < photo.shape[1]:
            like = cv2.matchTemplate(photo, small, cv2.TM_CCOEFF_NORMED)
            _, top, _, (x, y) = cv2.minMaxLoc(like)
            if top > best[0]:
                best = (top, (4 * x, 4 * y, 4 * small.shape[1], 4 * small.shape[0]))
    assert best[0] > 0.8
    return best[1]


def test_a_glare_on_a_face_is_refused(made: Made, goals: Deck):
    x, y, width, height = place_of(goals, "goal-red")

    def lamp(image: Image) -> Image:
        lit = image.copy()
        lit[y + height // 6 : y + 5 * height // 6, x + width // 6 : x + 5 * width // 6] = 255
        return lit

    error = refused(made(lamp))
    assert "goal-red glares" in str(error)
    assert error.picture is not None


def test_a_small_spot_of_light_is_no_print(made: Made, goals: Deck):
    x, y, width, height = place_of(goals, "goal-red")

    def lamp(image: Image) -> Image:
        lit = image.copy()
        cv2.circle(lit, (x + width // 2, y + height // 2), width // 8, (238, 250, 255), -1)
        return lit

    error = refused(made(lamp))
    assert "goal-red glares" in str(error)
    assert "white where no other component of the sheet is" in str(error)
    assert error.picture is not None


def test_white_that_others_show_as_well_is_print():
    faces = [np.full((182, 118, 3), 120, np.uint8) for _ in range(5)]
    level = np.full(3, 235.0)
    for face in faces[:2]:
        face[100:140, 20:100] = 250
    assert spots_of_light(faces, level) == [0.0] * 5
    faces[3][20:40, 20:40] = (238, 250, 255)
    spot = 400 / (182 * 118)
    assert spots_of_light(faces, level) == pytest.approx([0.0, 0.0, 0.0, spot, 0.0])
    assert spots_of_light(faces[3:4], level) == [pytest.approx(spot)], "alone on its sheet it is compared with none"
    for i, face in enumerate(faces):
        face[60 + 20 * i : 80 + 20 * i, 100:] = 250  # each has a white sign elsewhere
    assert max(spots_of_light(faces[2:3] + faces[4:], level)) == 0.0


def test_a_dark_photo_a_photo_without_markers_and_none_at_all_are_refused(made: Made):
    assert str(refused(made(lambda image: np.zeros_like(image))))
    error = refused(made(lambda image: np.full_like(image, 128)))
    assert str(error).startswith(str(made().parent))

    def unmarked(image: Image) -> Image:
        h, w = image.shape[:2]
        covered = image.copy()
        for y, x in ((0, 0), (0, w - w // 6), (h - h // 4, 0), (h - h // 4, w - w // 6)):
            covered[y : y + h // 4, x : x + w // 6] = 90
        return covered

    assert "fewer than two table markers" in str(refused(made(unmarked)))


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ("[]", "a JSON object is expected"),
        ("{", "is no JSON"),
        ('{"game": 3}', '"game" must be a name'),
        ('{"game": "fiji"}', "nothing to learn from"),
        ('{"game": "fiji", "sheets": [{"photo": "a.jpg"}]}', '"components"'),
        ('{"game": "fiji", "sheets": [{"photo": "a.jpg", "components": ["x"], "size_mm": [1, 2]}]}', '"size_mm"'),
        ('{"game": "fiji", "sheets": [{"components": ["x"], "size_mm": [59, 91]}]}', '"photo"'),
        ('{"game": "fiji", "sheets": [{"photo": "a", "components": ["x", "x"], "size_mm": [59, 91]}]}', "named twice"),
        ('{"game": "fiji", "faces": [{"photo": "a", "size_mm": [59, 91]}]}', '"component"'),
    ],
)
def test_a_plan_that_cannot_be_read_says_where(tmp_path: Path, plan: str, said: str):
    path = tmp_path / "teach.json"
    path.write_text(plan, "utf-8")
    with pytest.raises(Refused) as caught:
        Plan.read(path)
    assert said in str(caught.value)


def run(*args: object) -> tuple[int, str, str]:
    answer = CliRunner().invoke(main, [str(arg) for arg in args])
    return answer.exit_code, answer.stdout, answer.stderr


def test_attributes_that_the_rules_cannot_read_are_told_with_their_line(made: Made, tmp_path: Path):
    path = made(attributes={**SAYS, "goal-yellow": {"colour": "yellow", "upright": "most", "turned": "least"}})
    line = next(n for n, text in enumerate(path.read_text("utf-8").splitlines(), 1) if '"goal-yellow": {' in text)
    code, _, said = run("teach", "fiji", "--sheets", path, "--deck", tmp_path / "deck")
    assert code == 1
    assert f"line {line}: goal-yellow.turned must be one of: most, fewest" in said
    assert not (tmp_path / "deck").exists()


def test_attributes_of_a_component_that_no_sheet_shows_are_refused(made: Made):
    assert "goal-black" in str(refused(made(attributes={"goal-black": {}})))


def test_a_deck_may_be_extended_by_attributes_alone(goals: Deck, tmp_path: Path):
    deck, path = tmp_path / "deck", tmp_path / "teach.json"
    Deck("fiji", goals.faces).save(deck)
    path.write_text(json.dumps({"game": "fiji", "attributes": {"goal-red": SAYS["goal-red"]}}), "utf-8-sig")
    code, _, said = run("teach", "fiji", "--sheets", path, "--deck", tmp_path / "none")
    assert (code, "nothing to learn from" in said) == (1, True)
    assert run("teach", "fiji", "--sheets", path, "--deck", deck, "--extend")[0] == 0
    assert Deck.load(deck).attributes == {"goal-red": SAYS["goal-red"]}
    path.write_text(json.dumps({"game": "fiji", "attributes": {"goal-black": SAYS["goal-red"]}}), "utf-8")
    code, _, said = run("teach", "fiji", "--sheets", path, "--deck", deck, "--extend")
    assert (code, "goal-black, which no sheet shows and the deck does not hold" in said) == (1, True)


def test_a_straight_picture_needs_a_pixel_for_each_millimetre(goals: Deck, tmp_path: Path):
    face = {"photo": "red.png", "component": "goal-red", "size_mm": list(goals.faces[1].size)}
    path = tmp_path / "teach.json"
    path.write_text(json.dumps({"game": "fiji", "faces": [face]}), "utf-8")
    cv2.imwrite(str(tmp_path / "red.png"), goals.faces[1].image)
    (taught,) = teach(Plan.read(path), tmp_path).faces
    assert taught.image.shape == goals.faces[1].image.shape
    cv2.imwrite(str(tmp_path / "red.png"), goals.faces[1].image[::4, ::4])
    assert "too few for 59 × 91 mm" in str(refused(path))


def test_a_face_that_replaces_another_is_laid_upon_its_twin(goals: Deck, tmp_path: Path):
    """Its picture was cropped by hand, a millimetre to the right of where the sheets' faces were cut."""
    old = next(face for face in goals.faces if face.name == "goal-red")
    aside = cv2.warpAffine(old.image, np.array([[1, 0, -2], [0, 1, 0.0]]), old.image.shape[1::-1])
    cv2.imwrite(str(tmp_path / "red.png"), aside)
    told = {"photo": "red.png", "component": "goal-scarlet", "size_mm": list(old.size)}
    (tmp_path / "teach.json").write_text(json.dumps({"game": "fiji", "faces": [told]}), "utf-8")
    new = teach(Plan.read(tmp_path / "teach.json"), tmp_path, goals).faces[-1]
    inner = np.s_[8:-8, 8:-8]
    bright = old.image[inner].mean() / new.image[inner].mean()  # straight pictures have paper of their own
    off = np.abs(new.image[inner] * bright - old.image[inner].astype(float)).mean()
    assert off < 0.3 * np.abs(aside[inner].astype(float) - old.image[inner]).mean()


def test_the_command_shows_what_was_learned_and_what_was_refused(made: Made, tmp_path: Path):
    deck = tmp_path / "deck"
    code, out, _ = run("teach", "fiji", "--sheets", made(attributes=SAYS), "--deck", deck, "--json")
    assert (code, json.loads(out)["faces"]) == (0, GOALS)
    sheet = cv2.imread(str(deck / "contact-sheet.png"))
    assert sheet is not None
    assert sheet.std() > 20
    code, _, said = run("teach", "fiji", "--sheets", made(components=GOALS[:3]), "--deck", deck, "--extend")
    assert code == 1
    assert "row 1" in said
    assert cv2.imread(str(deck / "refused.png")) is not None
    assert len(Deck.load(deck).faces) == 4, "a refused sheet changes nothing"


def test_the_contact_sheet_writes_names_with_their_accents(goals: Deck):
    ways = {contact_sheet(Deck("zoo", (replace(goals.faces[0], name=name),))).tobytes() for name in ("Löwe", "Läwe")}
    assert len(ways) == 2


def test_a_deck_whose_attributes_were_spoilt_is_refused_when_it_is_used(goals: Deck, tmp_path: Path):
    says = {**SAYS, "goal-red": {"colour": "pink", "upright": "most", "turned": "fewest"}}
    Deck("fiji", goals.faces, (), says).save(tmp_path / "deck")
    code, _, said = run("score", "fiji", EXAMPLES / "table.jpg", "--deck", tmp_path / "deck")
    assert code == 1
    assert "goal-red.colour" in said


@pytest.mark.parametrize(
    ("game", "says", "said"),
    [
        ("fiji", {"kind": "gain"}, "colour"),
        ("fiji", {"colours": ["red", "red"], "wins": "most"}, "names a colour twice"),
        ("maori", {"palms": "two"}, "tile.palms"),
        ("maori", {"open": "NQ"}, "tile.open"),
        ("giants", {"hexes": {"c3": [1]}}, "tile.hexes.c3"),
        ("giants", {"ahus": []}, "tile.ahus"),
    ],
)
def test_what_the_rules_cannot_read_is_named(game: str, says: dict[str, Any], said: str):
    with pytest.raises(Malformed) as caught:
        check(game, {"tile": says})
    assert said in str(caught.value)


@pytest.mark.quick(1)
@pytest.mark.parametrize("game", ["fiji", "rapa-nui", "maori", "giants"])
def test_the_rules_can_read_the_house_decks(game: str):
    deck = House.of(game).deck
    check(game, deck.attributes)
    assert deck.attributes


def test_what_else_a_copy_says_and_what_other_games_say_is_their_own():
    check("maori", {"board": {"card": "board", "printed by": "us"}})
    check("whist", {"ace": {"palms": "two"}})
