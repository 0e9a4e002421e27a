"""A dispute on a phone with the camera's own pictures: a table that is drawn, seen, followed, disputed and mended."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.demo.stage import House
from companion.demo.world import World
from companion.evidence import Evidence
from companion.games.fiji import game
from companion.games.tabletop import Laid
from companion.table import Table
from companion.watcher import Watcher
from companion.witness import Witness
from tests.companion.tables import open_table, seal, seated
from tests.web.phone import Phones
from tests.web.test_album import Album
from vision.camera import Frame
from vision.motion import Motion
from vision.observe import Observer, annotate
from vision.simulated import SimulatedTable

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
FRAMES = 14  # shown of every table, one a second
ROWS = [
    {"condition": {"colours": ["red"], "wins": "most"}, "effect": {"kind": "rotate_goal"}},
    {"condition": {"colours": ["yellow"], "wins": "fewest"}, "effect": {"kind": "keep_bid"}},
    {"condition": {"colours": ["green"], "wins": "most"}, "effect": {"kind": "swap_goals"}},
    {"condition": {"colours": ["blue"], "wins": "most"}, "effect": {"kind": "one_of_each"}},
]


class Stage:
    """A drawn table, and a watcher that looks at it."""

    def __init__(self, table: Table) -> None:
        house = House.of("fiji")
        self.table = table
        self.world = World(table.tabletop.zones(3), random.Random(2))
        self.camera = SimulatedTable(house.faces, seed=2)
        self.watcher = Watcher(table, Observer(house.deck), house.deck, Motion(), annotate)
        self.clock = 0.0

    def show(self, laid: Laid) -> None:
        """Lay the table like this and let the camera look until it has understood it."""
        self.world.lay(laid)
        for _ in range(FRAMES):
            self.clock += 1.0
            self.watcher.feed(Frame(self.camera.render(self.world.scene()), self.clock))


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(open_table(tmp_path / "log", camera=True, witness=Witness(Evidence(tmp_path / "evidence"))))


def test_a_dispute_shows_what_the_camera_saw(stage: Stage, serve: Callable[[object], str], phones: Phones):
    table = stage.table
    address = serve(table)
    tokens = seated(table, 3)
    state = table.evening.state
    table.act(tokens[0], {"do": "lay_conditions", "rows": ROWS}, "en")
    dealer = game.dealer(random.Random(4))
    state = game.apply(state, dealer.act(state))[0]
    table.act(tokens[0], {k: v for k, v in dealer.act(state).data().items() if k != "by"}, "en")
    stage.show(table.tabletop.lay(table.evening.state))
    for token, beads in zip(tokens, ({"red": 2}, {"green": 1}, {"blue": 1}), strict=True):
        seal(table, token, **beads)
    before = table.evening.state
    turned = game.apply(before, game.read(before, {"by": 0, "do": "rotate_goal", "position": 2}))[0]
    stage.show(table.tabletop.lay(before))
    stage.show(table.tabletop.lay(turned))
    newest = table.evening.played[-1]
    assert (newest.action.data(), newest.cause) == ({"by": 0, "do": "rotate_goal", "position": 2}, "camera")
    phone = phones(address).take("oak", tokens[1])
    album = Album(phone.page, "390x844-camera-en")
    phone.tap("Menu").tap("What happened")
    album.take("01-history")
    phone.page.locator(".past button").first.tap()
    pictures = phone.page.locator(".evidence img")
    expect(pictures.first).to_be_visible()
    assert pictures.evaluate_all("all => all.map((image) => image.naturalWidth > 400)") == [True] * pictures.count()
    assert phone.page.locator(".evidence polygon").count() > 10
    album.take("02-dispute")
    phone.tap("That is not what happened").tap("Take it back: this did not happen")
    other = phones(address).take("oak", tokens[2])
    Album(other.page, "390x844-camera-en").take("03-vote")
    other.tap("Rewind")
    expect(other.page.locator("#back")).to_be_visible()
    stage.show(table.tabletop.lay(turned))
    expect(other.page.locator("#questions")).to_contain_text("taken back just now")
    album = Album(other.page, "390x844-camera-en")
    album.take("04-question", whole=True)
    other.tap("No, it will be put back")
    expect(other.page.locator("#questions")).to_be_hidden()
    stage.show(table.tabletop.lay(turned))
    expect(other.page.locator("#sync")).to_be_visible()
    other.page.locator("#sync summary").tap()
    album.take("05-out-of-sync", whole=True)
    stage.show(table.tabletop.lay(before))
    expect(other.page.locator("#sync")).to_be_hidden()
    album.take("06-rewound", whole=True)
    assert table.evening.state == before
