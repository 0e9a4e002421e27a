"""Lights say whose turn it is and nothing else."""

from __future__ import annotations

import doctest
import time
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory

from hardware import lights as module
from hardware.lights import ATTENTION_PIN, FIRST_PINS, GpioLights, Lights, LightsError, Signals


@pytest.fixture
def lights() -> Iterator[GpioLights]:
    lights = GpioLights.mock()
    yield lights
    lights.close()


def seats(*numbers: int) -> Signals:
    return Signals(frozenset(numbers))


def test_the_example_in_the_text() -> None:
    assert doctest.testmod(module).failed == 0


def test_it_is_lights() -> None:
    lights: Lights = GpioLights.mock(3)
    assert lights.seats == 3
    lights.close()


def test_dark_at_first(lights: GpioLights) -> None:
    assert lights.lit == frozenset()
    assert not lights.blinking


def test_a_light_is_on_while_its_seat_has_to_act(lights: GpioLights) -> None:
    for now in (seats(0, 1, 2, 3, 4), seats(1, 3), seats(1, 3), seats(), seats(4)):
        lights.show(now)
        assert lights.lit == now.to_act


def test_the_pins_are_those_that_were_named() -> None:
    factory = MockFactory()
    lights = GpioLights((17, 27), attention=None, factory=factory)
    lights.show(seats(1))
    assert [factory.pin(pin).state for pin in (17, 27)] == [0, 1]
    lights.close()
    assert [factory.pin(pin).state for pin in (17, 27)] == [0, 0]


def test_seats_without_a_light_are_ignored() -> None:
    lights = GpioLights.mock(seats=2)
    lights.show(seats(0, 4))
    assert lights.lit == {0}
    lights.close()


def test_a_pin_changes_only_when_its_seat_does() -> None:
    """What others do must not show on a seat's light, not even as a flicker."""
    factory = MockFactory()
    lights = GpioLights(factory=factory)
    pin = factory.pin(FIRST_PINS[0])
    lights.show(seats(0, 1, 2))
    pin.clear_states()
    for now in (seats(0, 1), seats(0, 1), seats(0), Signals(frozenset({0}), attention=True)):
        lights.show(now)
    assert [state.state for state in pin.states] == [1]
    lights.close()


def test_the_tables_light_blinks_while_it_needs_somebody(lights: GpioLights) -> None:
    lights.show(Signals(attention=True))
    assert lights.blinking
    lights.show(Signals(frozenset({1}), attention=True))
    assert lights.blinking
    lights.show(seats(1))
    assert not lights.blinking
    assert lights.lit == {1}


def test_the_tables_pin_goes_on_and_off() -> None:
    factory = MockFactory()
    lights = GpioLights(factory=factory)
    pin = factory.pin(ATTENTION_PIN)
    lights.show(Signals(attention=True))
    for _ in range(60_000):  # another thread blinks
        if pin.state:
            break
        time.sleep(0.001)
    assert pin.state
    lights.show(Signals())
    assert not pin.state
    lights.close()


def test_closing_twice_leaves_it_dark() -> None:
    factory = MockFactory()
    lights = GpioLights(factory=factory)
    lights.show(Signals(frozenset({0, 4}), attention=True))
    lights.close()
    lights.close()
    assert lights.seats == 0
    assert not any(factory.pin(pin).state for pin in (*FIRST_PINS, ATTENTION_PIN))


def test_pins_that_cannot_be_had_are_named_and_let_go() -> None:
    factory = MockFactory()
    with pytest.raises(LightsError, match=r"No lights: .*lgpio"):
        GpioLights((17, 17), factory=factory)
    with pytest.raises(LightsError):
        GpioLights((17, 99), factory=factory)
    GpioLights((17,), factory=factory).close()
