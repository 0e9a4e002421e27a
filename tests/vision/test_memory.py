"""Pieces are looked for again only where something has changed, and the answer is that of a whole look."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.memory import PieceMemory
from vision.photo import Photo
from vision.plane import Lens, Plane
from vision.scene import BLOCK, SCALE, Ground, Scene
from vision.seen import Seen
from vision.simulated import Look
from vision.simulated.view import View

SIZE = (1920, 1080)
VIEW = View.over(Look(), SIZE)
PLANE = Plane(Lens(VIEW.matrix, VIEW.distortion), VIEW.rotation, VIEW.translation)
LAID = ((150.0, 100.0), (450.0, 300.0), (700.0, 450.0))


class Dots:
    """Takes white dots for pieces; `looked` tells at how many pixels each time."""

    def __init__(self):
        self.looked = []

    def find(self, photo, grounds, taken=(), within=None):
        self.looked.append(photo.image.shape[0] * photo.image.shape[1])
        _, _, _, middles = cv2.connectedComponentsWithStats((photo.image[..., 0] > 128).astype(np.uint8))
        found = []
        for px in middles[1:]:
            x, y = (float(v) for v in photo.plane.to_mm(px)[0])
            centre = (px + 0.5) / photo.factor - 0.5
            found.append(Seen("log", None, None, (x, y), (float(centre[0]), float(centre[1])), 1.0, (("log", 1.0),)))
        return found


def photo(*places, factor=1.0):
    plane = PLANE.resized(factor)
    image = np.zeros((round(SIZE[1] * factor), round(SIZE[0] * factor), 3), np.uint8)
    for place in places:
        x, y = plane.to_px(place)[0].round().astype(int)
        image[y - 2 : y + 3, x - 2 : x + 3] = 255
    return Photo(image, plane, factor, np.ones(3, np.float32))


def around(*places):
    return [(int(x) - 20, int(y) - 20, int(x) + 20, int(y) + 20) for x, y in PLANE.to_px(places)]


def same(found, expected):
    """Whether the same is seen at the same places, on table and photo alike."""
    one, other = (sorted((*s.place, *s.centre_px) for s in seen) for seen in (found, expected))
    return len(one) == len(other) and np.allclose(one, other, atol=0.05)


@pytest.mark.parametrize("factor", [1.0, 0.6])
def test_what_was_moved_is_found_again_by_looking_at_little(factor):
    eyes = Dots()
    memory = PieceMemory(eyes)
    memory.find(photo(*LAID, factor=factor), ())
    moved = ((250.0, 150.0), *LAID[1:])
    found = memory.find(photo(*moved, factor=factor), (), (), around(LAID[0], moved[0]))
    assert same(found, Dots().find(photo(*moved, factor=factor), ()))
    assert sum(eyes.looked[1:]) < 0.3 * eyes.looked[0]


def test_where_nothing_has_changed_nothing_is_looked_at():
    eyes = Dots()
    memory = PieceMemory(eyes)
    before = memory.find(photo(*LAID), ())
    assert memory.find(photo(*LAID[1:]), (), (), []) == before
    assert len(eyes.looked) == 1


def test_any_photo_may_show_anything():
    eyes = Dots()
    memory = PieceMemory(eyes)
    memory.find(photo(*LAID), ())
    assert len(memory.find(photo(LAID[0]), ())) == 1
    assert eyes.looked[0] == eyes.looked[1]


def test_when_camera_or_board_has_moved_all_is_looked_at():
    eyes = Dots()
    memory = PieceMemory(eyes)
    board = Ground(np.zeros((4, 4, 3), np.uint8), np.array([(0, 0), (90, 0), (90, 90), (0, 90)], np.float64))
    memory.find(photo(*LAID), [board])
    memory.find(photo(*LAID), [board], (), around(LAID[0]))
    memory.find(photo(*LAID), [replace(board, corners=board.corners + 4)], (), around(LAID[0]))
    pushed = photo(*LAID)
    memory.find(replace(pushed, plane=PLANE.cropped(5, 0)), [replace(board, corners=board.corners + 4)], (), [])
    whole = eyes.looked[0]
    assert [pixels == whole for pixels in eyes.looked] == [True, False, True, True]


def test_a_board_of_which_only_a_strip_is_in_the_picture_is_no_ground():
    strip = (BLOCK - 2) / SCALE
    left = float(PLANE.to_mm([(0, SIZE[1] / 2)])[0, 0])
    corners = np.array([(left - 300, 100), (left + strip, 100), (left + strip, 300), (left - 300, 300)], np.float64)
    for aside in (0.0, -200.0):
        ground = Ground(np.full((60, 90, 3), 90, np.uint8), corners + np.array([aside, 0.0]))
        scene = Scene.of(photo(*LAID), [ground], ())
        assert not np.isnan(scene.seen).any()


def test_what_was_forgotten_is_looked_at_again():
    eyes = Dots()
    memory = PieceMemory(eyes)
    memory.find(photo(*LAID), ())
    memory.forget()
    assert same(memory.find(photo(*LAID[1:]), (), (), []), Dots().find(photo(*LAID[1:]), ()))
