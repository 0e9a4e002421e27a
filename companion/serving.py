"""A real table in one process: log, camera, boards, lights and pages."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration import layout, light
from companion.evidence import Evidence
from companion.fixtures import Fixtures
from companion.games.tabletop import Zone
from companion.log import Log
from companion.network import address
from companion.optics import kept, lens_for, marker_mm
from companion.recording import RecordedTable, RecordedWatcher
from companion.snapshots import Snapshots
from companion.table import Table
from companion.tape import PRIVATE, About, Tape
from companion.trouble import Trouble
from companion.watcher import Watcher
from companion.witness import Witness
from hardware.lights import GpioLights, Lights
from hardware.panels import open_panel
from hardware.refresh import Display
from vision.camera import Camera, EndOfPictures, Reconnecting, open_camera, parse
from vision.deck import Deck
from web.app import create_app
from web.server import create

CLOSED_S = 3.0  # how long the commitments stand on the board before anything opens
KEY_BYTES = 32
TROUBLE_S = 1.0  # the camera rests so long after a picture that could not be taken in


@dataclass(frozen=True, slots=True)
class Setup:
    """What `companion serve` was told."""

    game: str
    folder: Path
    table: str
    host: str
    port: int
    lang: str
    deck: Path | None = None
    camera: str | None = None
    panels: Sequence[str] = ()
    lights: bool = False
    calibration: Path | None = None
    evidence_gb: float = 2.0
    record: Path | None = None


def serve(setup: Setup, say: Callable[[str], None]) -> None:
    """Run the table until Ctrl-C.

    Raises LogError, NoDeck, CameraError, PanelError, LightsError, NoTape, OSError (the port).
    """
    if setup.camera is not None:
        parse(setup.camera)
    setup.folder.mkdir(parents=True, exist_ok=True)
    join = f"http://{address(setup.host)}:{setup.port}/j"
    with contextlib.ExitStack() as after:
        log = after.enter_context(Log(setup.folder / "companion.db", setup.table))
        table = _table(log, setup, join, say)
        after.callback(table.close)
        app = create_app(table, secret_key=_key(setup.folder / "pages.key"), hosts=None)
        server = create(app, setup.host, setup.port)
        after.callback(server.close)
        displays = [_display(text, say) for text in setup.panels]
        lights: Lights | None = GpioLights() if setup.lights else None
        after.callback(Fixtures(table, displays, lights, say).close)
        if setup.deck is not None:
            deck = Deck.load(setup.deck)
            table.on_photo = _photos(table, setup, deck)
            if setup.camera is not None:
                after.callback(_watch(table, setup, setup.camera, deck, say))
        say(f"Table {setup.table}: phones join at {join}; the table's page is http://localhost:{setup.port}/table")
        with contextlib.suppress(KeyboardInterrupt):
            server.run()


def _table(log: Log, setup: Setup, join: str, say: Callable[[str], None]) -> Table:
    """The table, with a tape running if the evening is to be recorded."""
    zones = _zones(setup.calibration)
    camera = setup.camera is not None and setup.deck is not None
    budget = round(setup.evidence_gb * 1e9)
    witness = Witness(Evidence(setup.folder / "evidence", budget), say) if budget else None
    given: dict[str, Any] = {"camera": camera, "zones": zones, "witness": witness, "lang": setup.lang}
    given |= {"join_url": join, "closed_s": CLOSED_S}
    if setup.record is None:
        return Table(log, setup.game, **given)
    about = About(
        setup.table, setup.game, {}, tuple(zones), camera, setup.deck is not None, budget > 0, kept(setup.calibration)
    )
    tape = Tape(setup.record, about, setup.deck, say)
    say(f"Recording into {setup.record}. {PRIVATE}")
    return RecordedTable(log, setup.game, tape=tape, **given)


def _photos(table: Table, setup: Setup, deck: Deck) -> Snapshots:
    """What reads photos that phones send in place of the camera."""
    from companion.eyes import die_faces
    from vision.observe import Observer, annotate

    observer = Observer(deck, die_faces=die_faces(deck.game), marker_mm=marker_mm(setup.calibration))
    return Snapshots(table, observer, deck, annotate)


def _watch(table: Table, setup: Setup, where: str, deck: Deck, say: Callable[[str], None]) -> Callable[[], None]:
    """Start the camera's loop in a thread; returns what ends it."""
    from companion.eyes import die_faces
    from vision.motion import Motion
    from vision.observe import Observer, annotate

    settings = None
    if setup.calibration is not None and (setup.calibration / light.FILE).exists():
        settings = light.load(setup.calibration)
    lens, side = lens_for(setup.calibration, say), marker_mm(setup.calibration)
    observer = Observer(deck, die_faces=die_faces(deck.game), lens=lens, marker_mm=side)
    camera = Reconnecting(lambda: open_camera(where, settings=settings), say)
    if isinstance(table, RecordedTable):
        watcher: Watcher = RecordedWatcher(table, observer, deck, Motion(), annotate)
    else:
        watcher = Watcher(table, observer, deck, Motion(), annotate)

    closing = threading.Event()
    thread = threading.Thread(target=_look_on, args=(camera, watcher, closing, say), name="camera", daemon=True)
    thread.start()

    def end() -> None:
        closing.set()
        camera.close()
        thread.join()

    return end


def _look_on(camera: Camera, watcher: Watcher, closing: threading.Event, say: Callable[[str], None]) -> None:
    """Feed the table with what the camera sees, to its last picture; one that cannot be taken in ends nothing."""
    trouble = Trouble(say)
    while not closing.is_set():
        try:
            if watcher.feed(camera.read()) is not None:
                trouble.over()
        except EndOfPictures:
            say("The camera has no more pictures; the phones go on without it.")
            return
        except Exception as error:  # a damaged picture, a disk that is full: the next one may do
            trouble.met("The camera goes on, but a picture was not taken in.", error)
            closing.wait(TROUBLE_S)


def _zones(calibration: Path | None) -> list[Zone]:
    """The layout kept with a table's calibration, if there is one."""
    if calibration is None or not (calibration / layout.FILE).exists():
        return []
    return [Zone(z.name, z.x, z.y, z.width, z.height, z.angle_deg) for z in layout.load(calibration)]


def _display(text: str, say: Callable[[str], None]) -> Display:
    """A board from `kind` or `kind:where`."""
    kind, _, where = text.partition(":")
    return Display(open_panel(kind, where), say=lambda words: say(f"{text}: {words}"))


def _key(path: Path) -> bytes:
    """The key that signs the pages' cookies, readable by nobody else; made when there is none, or not a whole one."""
    key = path.read_bytes() if path.exists() else b""
    if len(key) != KEY_BYTES:
        key = secrets.token_bytes(KEY_BYTES)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mode 0600
        with os.fdopen(handle, "wb") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    return key
