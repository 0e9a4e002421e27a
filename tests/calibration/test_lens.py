"""The lens: photos of a chart made with a known camera give that camera back."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import lens, toml
from calibration.lens import Calibration, Chart, NoLens, calibrate

REAL = Path(__file__).resolve().parents[3] / "shared/real/opencv"
SIZE = (960, 720)
MATRIX = np.array([[820.0, 0, 471.0], [0, 820.0, 366.0], [0, 0, 1]])
DISTORTION = np.array([-0.16, 0.04, 0.0008, -0.0006, 0.0])
PX_PER_MM = 6


def picture(chart: Chart) -> np.ndarray:
    """The chart as printed, `PX_PER_MM`, with a white edge of one square."""
    size = (round(chart.columns * chart.square_mm * PX_PER_MM), round(chart.rows * chart.square_mm * PX_PER_MM))
    edge = round(chart.square_mm * PX_PER_MM)
    if chart.dictionary:
        sheet = chart.board().generateImage(size, marginSize=0, borderBits=1)
    else:
        cells = np.indices((chart.rows, chart.columns)).sum(axis=0) % 2 * 255
        sheet = cv2.resize(cells.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.copyMakeBorder(sheet, *(edge,) * 4, cv2.BORDER_CONSTANT, value=255), np.uint8)


def photo(chart: Chart, number: int) -> np.ndarray:
    """A photo of the chart by the known camera, held in one of many ways."""
    rng = np.random.default_rng(number)
    turn = np.radians([(-32, 0, 28)[number % 3], (-28, 30)[number % 2] * (number % 3 > 0), rng.uniform(-12, 12)])
    rotation = cv2.Rodrigues(turn.reshape(3, 1))[0]
    middle = np.array([chart.columns, chart.rows]) * chart.square_mm / 2
    aim = np.array([rng.uniform(-70, 70), rng.uniform(-50, 50), rng.uniform(360, 470)])
    shift = aim - rotation @ np.array([*middle, 0.0])
    columns, rows = np.meshgrid(np.arange(SIZE[0], dtype=np.float64), np.arange(SIZE[1], dtype=np.float64))
    pixels = np.stack([columns, rows], axis=-1).reshape(-1, 1, 2)
    rays = cv2.undistortPoints(pixels, MATRIX, DISTORTION).reshape(-1, 2)
    lift = np.linalg.inv(np.column_stack([rotation[:, 0], rotation[:, 1], shift]))
    ground = np.column_stack([rays, np.ones(len(rays))]) @ lift.T
    where = ((ground[:, :2] / ground[:, 2:] + chart.square_mm) * PX_PER_MM - 0.5).astype(np.float32)
    sheet = cv2.GaussianBlur(picture(chart), (0, 0), 1.5)
    seen = cv2.remap(sheet, *where.reshape(*SIZE[::-1], 2).transpose(2, 0, 1), cv2.INTER_LINEAR, borderValue=90)
    noisy = seen * 0.85 + 20 + rng.normal(0, 2, seen.shape)
    return np.asarray(cv2.cvtColor(np.clip(noisy, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.fixture(scope="module")
def photos() -> list[tuple[str, np.ndarray]]:
    return [(f"{n}.jpg", photo(Chart(), n)) for n in range(9)]


@pytest.fixture(scope="module")
def found(photos: list[tuple[str, np.ndarray]]) -> Calibration:
    return calibrate(photos, Chart())


def test_the_camera_is_found_again(found: Calibration) -> None:
    assert len(found.photos) == 9
    assert found.error_px < 0.3
    assert found.matrix[0, 0] == pytest.approx(820, rel=0.005)
    assert found.matrix[:2, 2] == pytest.approx(MATRIX[:2, 2], abs=4)
    ours, theirs = (
        cv2.projectPoints(
            np.array([[x, y, 1.0] for x in (-0.5, 0, 0.5) for y in (-0.4, 0, 0.4)]), np.zeros(3), np.zeros(3), m, d
        )[0]
        for m, d in ((found.matrix, found.distortion), (MATRIX, DISTORTION))
    )
    assert np.abs(ours - theirs).max() < 4  # anywhere in the picture
    assert found.advice == ()


def test_a_plain_chessboard_serves_too() -> None:
    chart = Chart.parse("chessboard:9x6:28")
    found = calibrate([(f"{n}.jpg", photo(chart, n)) for n in range(6)], chart)
    assert found.error_px < 0.3
    assert found.matrix[0, 0] == pytest.approx(820, rel=0.01)


@pytest.mark.parametrize(("number", "least"), [(1, 20), (2, 30), (3, 30)])
def test_a_soft_and_bright_photo_still_tells_most_corners(number: int, least: int) -> None:
    soft = cv2.GaussianBlur(photo(Chart(), number).astype(np.float32), (0, 0), 2)
    told = Chart().corners(np.clip(soft * 1.5, 0, 255).astype(np.uint8))
    assert told is not None
    assert len(told[0]) >= least


def test_photos_that_do_not_serve_are_left_out_by_name(photos: list[tuple[str, np.ndarray]]) -> None:
    blank = ("blank.jpg", np.full((*SIZE[::-1], 3), 128, np.uint8))
    other = ("other.jpg", np.zeros((480, 640, 3), np.uint8))
    bent = photos[5][1].copy()
    bent[:, 480:] = cv2.resize(bent[:, 480:], None, fx=1.0, fy=1.04)[: SIZE[1]]
    found = calibrate([*photos[:5], blank, other, ("bent.jpg", bent)], Chart())
    assert set(found.photos) == {name for name, _ in photos[:5]}
    assert "no chart" in found.left_out["blank.jpg"]
    assert "640 × 480" in found.left_out["other.jpg"]
    assert "does not fit" in found.left_out["bent.jpg"]


def test_too_few_photos_are_refused(photos: list[tuple[str, np.ndarray]]) -> None:
    with pytest.raises(NoLens, match="found on 3 photos, 4 are needed"):
        calibrate(photos[:3], Chart())


def test_photos_from_one_place_bring_advice(photos: list[tuple[str, np.ndarray]]) -> None:
    rng = np.random.default_rng(0)
    image = photos[0][1]
    same = [(f"{n}", np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8)) for n in range(4)]
    assert any("tilt" in words for words in calibrate(same, Chart()).advice)


def warped(number: int, strain: float) -> tuple[str, np.ndarray]:
    """A photo of the chart lying square to the camera, turned and shifted; or as no camera sees it, with `strain`."""
    rng = np.random.default_rng(number)
    sheet = cv2.resize(picture(Chart()), (700, 500), interpolation=cv2.INTER_AREA)
    corners = np.array([(0, 0), (700, 0), (700, 500), (0, 500)], np.float32)
    turn = cv2.getRotationMatrix2D((350, 250), float(rng.uniform(-20, 20)), float(rng.uniform(0.8, 1)))
    there = cv2.transform(corners[None], turn)[0] + rng.uniform(60, 160, 2) + rng.uniform(-strain, strain, (4, 2))
    matrix = cv2.getPerspectiveTransform(corners, there.astype(np.float32))
    seen = cv2.warpPerspective(sheet, matrix, SIZE, borderValue=90)
    return f"{number}.jpg", np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.8), np.uint8)


def test_a_chart_that_always_lay_flat_is_to_be_tilted() -> None:
    assert any("tilt" in words for words in calibrate([warped(n, 0.0) for n in range(8)], Chart()).advice)


def test_photos_that_no_camera_can_have_taken_are_refused() -> None:
    with pytest.raises(NoLens, match=r"no one lens explains these photos .* off by \d+\.\d px"):
        calibrate([warped(n, 90.0) for n in range(6)], Chart())


@pytest.mark.parametrize("focal", [0.1, 22.4, np.nan])
def test_a_focal_length_that_no_camera_has_is_refused(focal: float) -> None:
    with pytest.raises(NoLens, match="which no camera has"):
        lens._check(0.3, focal)


def test_the_lens_is_kept_and_read_again(found: Calibration, tmp_path: Path) -> None:
    lens.save(found, tmp_path)
    again = lens.load(tmp_path)
    assert again.matrix == pytest.approx(found.matrix)
    assert again.distortion == pytest.approx(found.distortion)
    assert again.size_px == SIZE


def test_the_lens_of_an_enlarged_picture_puts_points_in_the_enlarged_place(found: Calibration) -> None:
    """Pixel centres: x of the small picture is 2 x + 0.5 in one twice as large."""
    point = np.array([[0.21, -0.13, 1.0]])
    small, large = (
        cv2.projectPoints(point, np.zeros(3), np.zeros(3), lens.matrix, lens.distortion)[0].ravel()
        for lens in (found.lens(SIZE), found.lens((2 * SIZE[0], 2 * SIZE[1])))
    )
    assert large == pytest.approx(2 * small + 0.5)


def test_a_picture_of_another_shape_has_no_lens(found: Calibration) -> None:
    with pytest.raises(NoLens, match="960 × 720"):
        found.lens((1920, 1080))


@pytest.mark.parametrize(
    "text", ["", "size_px = [1, 1]", 'camera_matrix = "x"', "[", "size_px = [0, 0]\ndistortion = []"]
)
def test_a_lens_file_that_is_none_says_what_to_do(text: str, tmp_path: Path) -> None:
    (tmp_path / lens.FILE).write_text(text)
    with pytest.raises(toml.Unreadable, match="calibrate"):
        lens.load(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "charuco:9x6", "chessboard:2x2:5", "charuco:9x6:20:28:5X5_100", "charuco:9x6:28:20:QR"]
)
def test_charts_that_are_none_are_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="charuco:9x6:28:20:5X5_100 is the house chart"):
        Chart.parse(text)


def test_the_house_chart_by_its_description() -> None:
    assert Chart.parse("charuco:9x6:28:20:DICT_5X5_100") == Chart()


@pytest.mark.shared
def test_real_photos_of_chessboards_and_a_charuco_board() -> None:
    if not REAL.exists():
        pytest.skip("the photographs that are not part of the project are missing")
    for side in ("left", "right"):
        images = ((p.name, cv2.imread(str(p))) for p in sorted(REAL.glob(f"{side}??.jpg")))
        found = calibrate(images, Chart.parse("chessboard:10x7:25"))
        assert len(found.photos) == 13, found.left_out
        assert found.error_px < 0.3
    corners = Chart.parse("charuco:5x7:40:20:6X6_250").corners(cv2.imread(str(REAL / "aruco/choriginal.jpg")))
    assert corners is not None
    assert len(corners[0]) == 24  # all of them
