"""What a view tells of the camera: only what lies openly on the table."""

import random
from dataclasses import replace

import pytest

from companion.games.game import game
from companion.games.tabletop import SeenCard
from companion.looks import WINDOW
from tests.companion.sights import box, sight
from tests.companion.tables import open_table, seated


@pytest.mark.parametrize("lang", ["en", "de", "nl"])
def test_only_what_lies_in_the_open_part_of_the_table_is_listed(tmp_path, lang):
    table = open_table(tmp_path, "fiji", camera=True)
    tokens = seated(table, 3)
    deal = game("fiji").dealer(random.Random(3)).act(table.evening.state)
    assert table.act(tokens[0], deal.arguments() | {"do": deal.do}, "en")["legal"]
    open_ = sight(game("fiji").tabletop.lay(table.evening.state))
    area = table.tabletop.area
    name = open_.cards[0].component
    behind = [
        SeenCard(name, box("fiji")[name], area.x - 20, area.y + 50),
        SeenCard(name, box("fiji")[name], area.x + 50, area.y + area.height + 20),
        SeenCard("", {}, area.x + area.width + 20, area.y + 50, 0.0, ((name, box("fiji")[name]),)),
    ]
    for _ in range(WINDOW):
        table.observed(replace(open_, cards=(*open_.cards, *behind)))
    for viewer in (None, 0, 1):
        assert len(table.view(viewer, lang)["seen"]) == len(open_.cards)
    table.close()
