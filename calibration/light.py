"""Holds a camera's light still: exposure, white balance and focus found by its automatics, then locked and kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import toml
from vision.camera import Adjustable, Settings

Image = NDArray[np.uint8]

FILE: Final = "light.toml"
STEADY_FRAMES: Final = 6  #: so many frames of equal brightness: the automatics have settled
STEADY_LEVELS: Final = 1.5
MOST_FRAMES: Final = 120


class Unsteady(ValueError):
    """The camera's automatics do not come to rest."""


@dataclass(frozen=True, slots=True)
class Light:
    """What was locked: the settings, the names of those the camera refused, and what to do about the light."""

    settings: Settings
    refused: tuple[str, ...]
    advice: tuple[str, ...]

    def data(self) -> dict[str, Any]:
        return {"settings": _values(self.settings), "refused": list(self.refused), "advice": list(self.advice)}


def lock(camera: Adjustable) -> Light:
    """Wait until the camera's automatics have settled, then hold it there. Raises Unsteady."""
    image = _settled(camera)
    settings = camera.settings()
    if settings == Settings():
        return Light(settings, ("exposure", "white balance", "focus"), advice(image))
    refused = camera.lock(settings)
    return Light(settings, tuple(refused), advice(image))


def advice(image: Image) -> tuple[str, ...]:
    """What is wrong with a picture's light, in words for the person at the lamp."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    said = []
    if float(np.mean(image.max(axis=2) >= 253)) > 0.02:
        said.append("parts of the table are burnt out: move the lamp aside, or hang paper before it")
    if float(np.percentile(grey, 90)) < 70:
        said.append("the table is dark: more light, please")
    return tuple(said)


def save(light: Light, folder: Path) -> Path:
    """Keep the settings in a table's calibration folder."""
    path = folder / FILE
    toml.write(path, "The camera's light, locked. Delete a line to leave that to the camera.", _values(light.settings))
    return path


def load(folder: Path) -> Settings:
    """The settings kept in a calibration folder. Raises toml.Unreadable."""
    path = folder / FILE
    said = toml.read(path)
    unknown = sorted(set(said) - {"exposure_us", "gain", "colour_gains", "temperature_k", "focus"})
    if unknown:
        raise toml.Unreadable(f"{path} has lines that mean nothing: {', '.join(unknown)}")
    try:
        gains = said.get("colour_gains")
        return Settings(
            exposure_us=_number(said, "exposure_us", int),
            gain=_number(said, "gain", float),
            colour_gains=(toml.finite(gains[0]), toml.finite(gains[1])) if gains is not None else None,
            temperature_k=_number(said, "temperature_k", int),
            focus=_number(said, "focus", float),
        )
    except (TypeError, ValueError, IndexError) as e:
        raise toml.Unreadable(f"{path} is no light ({e}): calibrate it again") from e


def _number(said: dict[str, Any], name: str, kind: type) -> Any:
    value = said.get(name)
    return None if value is None else kind(toml.finite(value))


def _values(settings: Settings) -> dict[str, Any]:
    values = {
        "exposure_us": settings.exposure_us,
        "gain": settings.gain,
        "colour_gains": list(settings.colour_gains) if settings.colour_gains else None,
        "temperature_k": settings.temperature_k,
        "focus": settings.focus,
    }
    return {name: value for name, value in values.items() if value is not None}


def _settled(camera: Adjustable) -> Image:
    """A picture taken when the last few were equally bright."""
    levels: list[float] = []
    for _ in range(MOST_FRAMES):
        image = camera.read().image
        levels.append(float(image[::8, ::8].mean()))
        if _steady(levels[-STEADY_FRAMES:]):
            return image
    raise Unsteady("the picture's brightness does not come to rest: is the light flickering, or somebody moving?")


def _steady(levels: Sequence[float]) -> bool:
    return len(levels) == STEADY_FRAMES and max(levels) - min(levels) <= STEADY_LEVELS
