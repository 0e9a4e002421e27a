"""What stands at the table beside the phones: e-paper boards and LEDs. They show the spectator's view, nothing else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from companion import boards
from companion.trouble import Trouble
from hardware.lights import Lights, Signals
from hardware.refresh import Display
from hardware.scoreboard import draw

if TYPE_CHECKING:
    from companion.table import Table

HEARTBEAT_S = 30.0


class Fixtures:
    """Keeps boards and lights showing a table, in a thread of its own. What goes wrong there is said, once."""

    def __init__(
        self,
        table: Table,
        displays: Sequence[Display],
        lights: Lights | None = None,
        say: Callable[[str], None] = print,
    ) -> None:
        self._table = table
        self._displays = displays
        self._lights = lights
        self._chapter: object = None
        self._trouble = Trouble(say)
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="fixtures", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Show what is newest, then let go of boards and lights. Close it before the table."""
        self._closed = True
        self._table.nudge()
        self._thread.join()
        self._try()
        for display in self._displays:
            display.close()
        if self._lights is not None:
            self._lights.close()

    def show(self) -> None:
        """Hand the present view to all of them; none is waited for."""
        view = self._table.view(None, self._table.lang)
        if self._displays:
            wanted = boards.board(self._table, self._table.lang)
            chapter, self._chapter = self._chapter, _chapter(view)
            for display in self._displays:
                picture = draw(wanted, display.panel.size, display.panel.colours)
                display.show(picture, chapter=chapter != self._chapter)
        if self._lights is not None:
            self._lights.show(signals(view))

    def _run(self) -> None:
        version = 0
        while not self._closed:
            self._try()
            version = self._table.wait(None, version, HEARTBEAT_S)

    def _try(self) -> None:
        try:
            self.show()
        except Exception as error:  # the next view may be one that can be shown
            self._trouble.met("Boards and lights do not show what is newest.", error)
        else:
            self._trouble.over()


def signals(view: dict[str, Any]) -> Signals:
    """The lights: who still has to act (the same whatever was sealed), and whether the table needs somebody."""
    to_act = frozenset(s for s in view["to_act"] if isinstance(s, int) and not (view["sealed"] and view["sealed"][s]))
    return Signals(to_act, attention=view["sync"]["status"] == "differs")


def _chapter(view: dict[str, Any]) -> object:
    """Changes when something ends, so that a board may be refreshed fully then."""
    state = view["state"] or {}
    return view["begun"], view["over"], state.get("round")
