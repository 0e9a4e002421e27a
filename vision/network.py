"""Small networks that look at pictures, run by ONNX Runtime on as many threads as OpenCV works on."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Single = NDArray[np.float32]


class Network:
    """A network of an ONNX file, of one input and one output; it is loaded when it first looks at something."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def answers(self, pictures: Single) -> Single:
        """What it says of pictures (n × channels × rows × columns), all of one size."""
        (said,) = self._session.run(None, {self._session.get_inputs()[0].name: pictures})
        return np.asarray(said, np.float32)

    @cached_property
    def _session(self) -> Any:
        import onnxruntime  # 35 MB that a table without dice and pieces need not hold

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = cv2.getNumThreads()
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # a camera may see nothing for hours
        options.enable_cpu_mem_arena = False  # what a large picture needed is given back
        return onnxruntime.InferenceSession(self._path, options, providers=["CPUExecutionProvider"])
