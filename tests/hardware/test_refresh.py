"""When a panel is refreshed: told by a clock that the tests turn."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PIL import Image

from hardware.panels import Browser, PanelError
from hardware.refresh import RETRY, Display, Policy, Refresh, Step

SIZE = (250, 122)
POLICY = Policy(gather=2, partials=3, full_every=1000, sleep_after=100)


def picture(n: int) -> Image.Image:
    image = Image.new("1", SIZE, 1)
    image.putpixel((n % SIZE[0], n // SIZE[0]), 0)
    return image


class Turn:
    """A panel's refresh policy with a clock to turn: `until(t)` gives what was done up to then."""

    def __init__(self, partial: bool = True) -> None:
        self.refresh = Refresh(partial, POLICY)
        self.now = 0.0

    def want(self, n: int, at: float, chapter: bool = False) -> None:
        self.now = at
        self.refresh.want(picture(n), at, chapter)

    def until(self, end: float, takes: float = 0) -> list[tuple[float, Step]]:
        done = []
        while (at := self.refresh.next_at()) is not None and at <= end:
            self.now = max(self.now, at)
            due = self.refresh.due(self.now)
            assert due is not None
            done.append((self.now, due[0]))
            self.now += takes
            self.refresh.did(*due, self.now)
        assert self.refresh.due(end) is None
        return done


@pytest.fixture
def turn() -> Turn:
    """A panel that has just shown its first picture, at 10."""
    turn = Turn()
    turn.want(0, at=8)
    assert turn.until(10) == [(10, Step.FULL)]
    return turn


def test_nothing_is_due_before_there_is_something_to_show() -> None:
    refresh = Refresh(partial=True)
    assert refresh.next_at() is None
    assert refresh.due(1e9) is None


def test_changes_are_gathered(turn: Turn) -> None:
    for n, at in enumerate((20, 20.5, 21, 21.9), 1):
        turn.want(n, at)
    assert turn.refresh.due(21.99) is None
    due = turn.refresh.due(22)
    assert due is not None
    assert due[0] is Step.PARTIAL
    assert due[1].tobytes() == picture(4).tobytes()


def test_a_stream_of_changes_does_not_put_it_off(turn: Turn) -> None:
    shown = []
    for tenth in range(200, 300):
        turn.want(tenth, tenth / 10)
        shown += turn.until(tenth / 10)
    assert len(shown) == 4  # every 2 s and what came next


def test_what_changes_back_is_not_shown(turn: Turn) -> None:
    turn.want(1, 20)
    turn.want(0, 21)
    assert turn.until(50) == []
    assert turn.refresh.pending() is None


def test_the_same_picture_again_is_no_change(turn: Turn) -> None:
    turn.want(0, 20)
    assert turn.until(50) == []


def test_after_some_partial_ones_comes_a_full_one(turn: Turn) -> None:
    steps = []
    for n in range(1, 9):
        turn.want(n, 10 * n + 10)
        steps += [step for _, step in turn.until(10 * n + 15)]
    p, f = Step.PARTIAL, Step.FULL
    assert steps == [p, p, p, f, p, p, p, f]


def test_the_end_of_a_chapter_is_a_good_moment(turn: Turn) -> None:
    turn.want(1, 20, chapter=True)
    turn.want(2, 21)
    assert turn.until(25) == [(22, Step.FULL)]
    turn.want(3, 30)
    assert turn.until(35) == [(32, Step.PARTIAL)]


def test_a_panel_that_cannot_is_always_refreshed_fully() -> None:
    turn = Turn(partial=False)
    for n in range(4):
        turn.want(n, 10.0 * n)
        assert turn.until(10 * n + 5) == [(10 * n + 2, Step.FULL)]


def test_it_sleeps_when_nothing_happens_and_then_starts_anew(turn: Turn) -> None:
    assert turn.until(300) == [(110, Step.SLEEP)]
    turn.want(1, 400)
    assert turn.until(450) == [(402, Step.FULL)]
    turn.want(2, 460)
    assert turn.until(470) == [(462, Step.PARTIAL)]


def test_once_a_day_it_is_refreshed_even_asleep(turn: Turn) -> None:
    assert turn.until(2200) == [
        (110, Step.SLEEP),
        (1010, Step.FULL),
        (1110, Step.SLEEP),
        (2010, Step.FULL),
        (2110, Step.SLEEP),
    ]


def test_a_change_while_the_panel_is_busy_is_not_lost(turn: Turn) -> None:
    turn.want(1, 20)
    due = turn.refresh.due(22)
    assert due is not None
    turn.refresh.want(picture(2), 30)
    turn.refresh.did(*due, 60)  # a colour panel takes its time
    assert turn.refresh.next_at() == 62
    due = turn.refresh.due(62)
    assert due is not None
    assert due[1].tobytes() == picture(2).tobytes()


def test_a_chapter_that_ends_while_the_panel_is_busy_is_shown_fully(turn: Turn) -> None:
    turn.want(1, 20, chapter=True)
    due = turn.refresh.due(22)
    assert due is not None
    turn.refresh.want(picture(2), 23, chapter=True)
    turn.refresh.did(*due, 30)
    assert turn.until(32) == [(32, Step.FULL)]
    turn.want(3, 40)
    assert turn.until(42) == [(42, Step.PARTIAL)]


def test_a_panel_that_failed_is_tried_again_fully(turn: Turn) -> None:
    turn.want(1, 20)
    turn.refresh.failed(22)
    turn.want(2, 23)
    assert turn.refresh.due(22 + RETRY - 0.1) is None
    assert turn.until(22 + RETRY) == [(22 + RETRY, Step.FULL)]


def test_even_an_unchanged_picture_is_shown_again_after_a_failure(turn: Turn) -> None:
    turn.refresh.failed(50)
    assert turn.until(50 + RETRY) == [(50 + RETRY, Step.FULL)]


# --- a panel in a thread of its own


class Sulking(Browser):
    """Refuses while `sulks`, and notes what it was asked for."""

    def __init__(self) -> None:
        super().__init__(SIZE, "bw")
        self.sulks = False
        self.asked: list[bool | str] = []
        self.shown = threading.Event()

    def show(self, image: Image.Image, *, full: bool = True) -> None:
        self.asked.append(full)
        if self.sulks:
            raise PanelError("The panel does not answer. Press it on its socket.")
        super().show(image)
        self.shown.set()

    def sleep(self) -> None:
        self.asked.append("sleep")


def test_a_display_does_what_is_due() -> None:
    now = [0.0]
    panel = Sulking()
    display = Display(panel, POLICY, clock=lambda: now[0], start=False)
    assert not display.step()
    display.show(picture(0))
    assert not display.step()
    now[0] = 2
    assert display.step()
    assert not display.step()
    display.show(picture(1))
    now[0] = 4
    assert display.step()
    now[0] = 200
    assert display.step()
    assert panel.asked == [True, False, "sleep"]
    display.close()
    assert panel.newest[0] == 2


def test_a_display_survives_its_panel() -> None:
    now = [0.0]
    panel = Sulking()
    panel.sulks = True
    said: list[str] = []
    display = Display(panel, POLICY, clock=lambda: now[0], start=False, say=said.append)
    display.show(picture(0))
    for now[0] in (2, 2 + RETRY):
        assert display.step()
        assert display.trouble == "The panel does not answer. Press it on its socket."
    panel.sulks = False
    now[0] = 2 + 2 * RETRY
    assert display.step()
    assert said == [
        "The board shows nothing new: The panel does not answer. Press it on its socket.",
        "The board is back.",
    ]
    assert display.trouble is None
    assert panel.newest[0] == 1


def test_a_display_refuses_a_picture_that_does_not_fit() -> None:
    display = Display(Sulking(), POLICY, start=False)
    with pytest.raises(ValueError, match="this panel shows"):
        display.show(Image.new("1", (10, 10)))


def test_what_waits_is_shown_before_the_display_closes() -> None:
    panel = Sulking()
    display = Display(panel, Policy(gather=3600))
    display.show(picture(5))
    display.close()
    assert panel.newest[0] == 1


def test_the_thread_shows_by_itself(tmp_path: Path) -> None:
    panel = Sulking()
    display = Display(panel, Policy(gather=0.01))
    display.show(picture(5))
    assert panel.shown.wait(timeout=60)
    display.close()
