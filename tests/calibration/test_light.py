"""Light: locked when the camera has come to rest, kept in a file, and what to do about a bad lamp."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from calibration import light, toml
from vision.camera import Frame, Settings

FOUND = Settings(exposure_us=9000, gain=1.5, colour_gains=(1.9, 1.4), focus=1.1)


class Camera:
    """A camera whose automatics follow `level` by frame number."""

    def __init__(self, level: Callable[[int], float], refuses: list[str] | None = None) -> None:
        self.level, self.refuses = level, refuses or []
        self.frames = 0
        self.locked: Settings | None = None
        self.says = FOUND

    def read(self) -> Frame:
        self.frames += 1
        return Frame(np.full((90, 160, 3), round(self.level(self.frames)), np.uint8), float(self.frames))

    def settings(self) -> Settings:
        return self.says

    def lock(self, settings: Settings) -> list[str]:
        self.locked = settings
        return self.refuses

    def close(self) -> None:
        pass


def test_light_is_locked_once_the_automatics_have_come_to_rest() -> None:
    camera = Camera(lambda n: max(120.0, 240 - 12 * n), ["focus"])
    found = light.lock(camera)
    assert camera.locked == found.settings == FOUND
    assert camera.frames == 10 + light.STEADY_FRAMES - 1
    assert found.refused == ("focus",)
    assert found.advice == ()


def test_light_that_never_rests_is_refused() -> None:
    camera = Camera(lambda n: 100 + 10 * (n % 3))
    with pytest.raises(light.Unsteady, match="does not come to rest"):
        light.lock(camera)
    assert camera.locked is None


def test_a_camera_that_says_nothing_is_left_alone() -> None:
    camera = Camera(lambda n: 120)
    camera.says = Settings()
    assert light.lock(camera).refused == ("exposure", "white balance", "focus")
    assert camera.locked is None


@pytest.mark.parametrize(
    ("level", "spot", "words"),
    [(120, 120, []), (30, 30, ["dark"]), (120, 255, ["burnt out"]), (30, 255, ["burnt out", "dark"])],
)
def test_advice_for_the_person_at_the_lamp(level: int, spot: int, words: list[str]) -> None:
    image = np.full((100, 100, 3), level, np.uint8)
    image[:20, :20] = spot
    said = light.advice(image)
    assert len(said) == len(words)
    for sentence, word in zip(said, words, strict=True):
        assert word in sentence


@pytest.mark.parametrize("settings", [FOUND, Settings(temperature_k=4200), Settings()])
def test_settings_are_kept_and_read_again(settings: Settings, tmp_path: Path) -> None:
    light.save(light.Light(settings, (), ()), tmp_path)
    assert light.load(tmp_path) == settings


@pytest.mark.parametrize(
    "text",
    [
        "gain = 'much'", "colour_gains = [1.0]", "brightness = 3", "=",
        "exposure_us = inf", "focus = nan", "colour_gains = [1.0, inf]", f"gain = 1{'0' * 400}",
    ],
)  # fmt: skip
def test_a_light_file_that_is_none_says_so(text: str, tmp_path: Path) -> None:
    (tmp_path / light.FILE).write_text(text)
    with pytest.raises(toml.Unreadable, match=light.FILE):
        light.load(tmp_path)


def test_without_a_file_the_way_to_get_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(toml.Unreadable, match="companion calibrate"):
        light.load(tmp_path)
