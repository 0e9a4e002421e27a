"""Tiles that nobody taught, whose near twins somebody did."""

from dataclasses import replace

from companion.demo.stage import House
from vision.observe import Observer
from vision.simulated import Placed, Scene, SimulatedTable

LAID = {"water-07": (300.0, 250.0), "water-09": (450.0, 250.0), "water-16": (600.0, 250.0)}


def test_what_looks_like_a_near_twin_only_where_that_is_like_others_is_asked_about() -> None:
    house = House.of("maori")
    scene = Scene(tuple(Placed(name, at, 0.0) for name, at in LAID.items()))
    photo = SimulatedTable(house.faces, 1).render(scene)
    seen = Observer(house.deck, ()).observe(photo)
    assert {c.component for c in seen.components} == {f"maori/{name}" for name in LAID}
    few = replace(house.deck, faces=tuple(face for face in house.deck.faces if face.name not in LAID))
    seen = Observer(few, ()).observe(photo)
    assert seen.components == ()
    assert {doubt.why for doubt in seen.unsure} == {"it may be one that was never taught"}
