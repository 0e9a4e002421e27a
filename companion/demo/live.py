"""The demonstration with its pages: the show in one thread, the web server in another."""

from __future__ import annotations

import contextlib
import secrets
import tempfile
import threading
from pathlib import Path

import click

from companion.demo.show import Show, Stopped
from companion.demo.stage import build
from companion.fixtures import Fixtures
from companion.games.game import game
from companion.network import address
from hardware.lights import GpioLights
from web.app import create_app
from web.server import create

REST_S = 20.0  # between two games
CLOSED_S = 3.0


def run(name: str, players: int, seed: int, host: str, port: int, speed: float) -> None:
    """Serve the demonstration until Ctrl-C; raises click errors that say what to do."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"http://{address(host)}:{port}"
        show = build(
            game(name),
            players,
            seed,
            Path(folder),
            live=True,
            closed_s=CLOSED_S,
            speed=speed,
            join_url=f"{url}/j",
            drawn=True,
        )
        app = create_app(show.table, secret_key=secrets.token_bytes(32), hosts=None, demo=show)
        try:
            server = create(app, host, port)
        except OSError as error:
            raise click.ClickException(
                f"port {port} cannot be used ({error.strerror}); try: companion demo --port {port + 1}"
            ) from error
        fixtures = Fixtures(show.table, [], GpioLights.mock(players))
        thread = threading.Thread(target=play_on, args=(show,), name="show", daemon=True)
        thread.start()
        try:
            click.echo(f"The demonstration is at http://localhost:{port}/demo (phones: {url}/j). Stop it with Ctrl-C.")
            with contextlib.suppress(KeyboardInterrupt):
                server.run()
        finally:
            show.stop()
            thread.join()  # OpenCV does not live through the end of a process that it works for
            fixtures.close()
            show.table.close()


def play_on(show: Show) -> None:
    """One game after the other, until it is stopped."""
    with contextlib.suppress(Stopped):
        while True:
            show.play()
            show.rest(REST_S)
