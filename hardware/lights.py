"""Lights at the seats: on means "you are to act", and says nothing of what anybody does.

>>> lights = GpioLights.mock(seats=3)
>>> lights.show(Signals(to_act=frozenset({0, 2})))
>>> sorted(lights.lit)
[0, 2]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, Self

from gpiozero import LED
from gpiozero.exc import GPIOZeroError
from gpiozero.pins.mock import MockFactory

BLINK: Final = 0.5  #: seconds on, seconds off
FIRST_PINS: Final = (12, 13, 19, 20, 26)  #: BCM numbers of the seats' LEDs: pins that no e-paper board uses
ATTENTION_PIN: Final = 21


class LightsError(OSError):
    """There are no lights to be had; the message says what to do. The game goes on without them."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What the lights say: whose turn it is, and whether the table needs somebody (a question, a difference)."""

    to_act: frozenset[int] = frozenset()
    attention: bool = False


class Lights(Protocol):
    """A light for each seat and one for the table."""

    @property
    def seats(self) -> int:
        """How many seats have a light; others are ignored."""

    def show(self, signals: Signals) -> None:
        """Set all lights; the same signals twice change nothing."""

    def close(self) -> None:
        """All off; may be called twice."""


class GpioLights:
    """An LED on a GPIO pin for each seat, and perhaps one that blinks when the table needs somebody.

    Pins are BCM numbers. `factory` is gpiozero's: None finds the machine's own, a `MockFactory` needs none.
    Raises LightsError where there is no GPIO, or a pin is taken or does not exist.
    """

    def __init__(
        self, pins: Sequence[int] = FIRST_PINS, attention: int | None = ATTENTION_PIN, factory: Any = None
    ) -> None:
        self._leds: list[Any] = []
        self._shown: Signals | None = None
        self._attention: Any = None
        try:
            for pin in pins:
                self._leds.append(LED(pin, pin_factory=factory))
            if attention is not None:
                self._attention = LED(attention, pin_factory=factory)
        except (GPIOZeroError, OSError) as error:
            self.close()
            raise LightsError(f"No lights: {error}. On a Raspberry Pi: sudo apt install python3-lgpio") from error

    @classmethod
    def mock(cls, seats: int = len(FIRST_PINS)) -> Self:
        """Lights without a Pi, for the demo and tests."""
        return cls(FIRST_PINS[:seats], factory=MockFactory())

    @property
    def seats(self) -> int:
        return len(self._leds)

    @property
    def lit(self) -> frozenset[int]:
        """The seats whose pin is on now, as read back from the pins."""
        return frozenset(seat for seat, led in enumerate(self._leds) if led.is_lit)

    @property
    def blinking(self) -> bool:
        """Whether the table's light asks for attention."""
        return bool(self._attention is not None and self._shown and self._shown.attention)

    def show(self, signals: Signals) -> None:
        before, self._shown = self._shown, signals
        for seat, led in enumerate(self._leds):
            (led.on if seat in signals.to_act else led.off)()
        if self._attention is None or (before is not None and before.attention == signals.attention):
            return
        if signals.attention:
            self._attention.blink(on_time=BLINK, off_time=BLINK)
        else:
            self._attention.off()

    def close(self) -> None:
        for led in (*self._leds, self._attention):
            if led is not None and not led.closed:
                led.off()
                led.close()
        self._leds, self._attention, self._shown = [], None, None
