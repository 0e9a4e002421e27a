"""A camera above a table that does not exist: scenes in, photographs and the truth about them out.

>>> from vision.simulated import Scene, SimulatedTable
>>> SimulatedTable({}, size_px=(320, 180)).render(Scene()).shape
(180, 320, 3)
"""

from vision.simulated.scene import BeadAt, FaceImage, HandAt, Image, Look, PieceAt, Placed, Scene
from vision.simulated.table import SimulatedTable
from vision.simulated.view import View

__all__ = ["BeadAt", "FaceImage", "HandAt", "Image", "Look", "PieceAt", "Placed", "Scene", "SimulatedTable", "View"]
