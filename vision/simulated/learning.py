"""Teach small networks to see dice and pieces on drawn tables, and write them as ONNX.

    python -m vision.simulated.learning places vision/places.onnx --steps 3000
    python -m vision.simulated.learning close vision/close.onnx --steps 18000
    python -m vision.simulated.learning close new.onnx --steps 7000 --rate 8e-4 --onward vision/close.onnx --mean
    python -m vision.simulated.learning dice vision/values.onnx --steps 20000 --onward vision/close.onnx

Needs the extra `train` (jax, onnx). The first sees a picture of 1.25 pixels a millimetre and says for every fourth
pixel whether the middle of a thing is there, which, and how large it is. The second looks closely at one such place,
64 × 64 pixels at 2 a millimetre, and says the same. The third goes on from the second, as close to traced dice.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from vision.simulated import looks
from vision.simulated.looks import Batch
from vision.simulated.throws import NAMES

PLACES: Final = (  # channels in and out, side, step, dilation
    (3, 16, 3, 1, 1),
    (16, 24, 3, 2, 1),
    (24, 32, 3, 1, 1),
    (32, 48, 3, 2, 1),
    (48, 48, 3, 1, 1),
    (48, 48, 3, 1, 2),
    (48, 48, 3, 1, 4),
    (48, 64, 3, 1, 1),
    (64, len(NAMES) + 1, 1, 1, 1),
)
CLOSE: Final = (
    (3, 16, 3, 1, 1),
    (16, 32, 3, 2, 1),
    (32, 64, 3, 2, 1),
    (64, 64, 3, 1, 1),
    (64, 96, 3, 2, 1),
    (96, 96, 3, 1, 1),
    (96, 96, 8, 8, 1),
    (96, len(NAMES) + 1, 1, 1, 1),
)
Layers = tuple[tuple[int, int, int, int, int], ...]
NETWORKS: Final[dict[str, Layers]] = {"places": PLACES, "close": CLOSE, "dice": CLOSE}
RATE: Final = 2e-3

Parameters = list[tuple[Any, Any]]


def begun(layers: Layers, seed: int) -> Parameters:
    """Weights (out, in, side, side) and biases to start from."""
    random = np.random.default_rng(seed)
    parameters = []
    for inner, outer, side, _, _ in layers:
        spread = np.sqrt(2 / (inner * side * side))
        weights = random.normal(0, spread, (outer, inner, side, side)).astype(np.float32)
        parameters.append((jnp.asarray(weights), jnp.zeros(outer, jnp.float32)))
    return parameters


def continued(path: Path) -> Parameters:
    """The weights and biases of a network already written."""
    graph = onnx.load(path).graph
    stored = {tensor.name: jnp.asarray(numpy_helper.to_array(tensor)) for tensor in graph.initializer}
    return [(stored[f"w{i}"], stored[f"b{i}"]) for i in range(len(stored) // 2)]


def scores(layers: Layers, parameters: Parameters, pictures: Any) -> Any:
    """What the network says to pictures (n × 3 × rows × columns, −½ to ½): n × names and size × rows × columns."""
    seen = pictures
    for i, ((weights, bias), (_, _, side, step, wide)) in enumerate(zip(parameters, layers, strict=True)):
        pad = _pad(side, wide)
        seen = jax.lax.conv_general_dilated(
            seen, weights, (step, step), [(pad, pad)] * 2, rhs_dilation=(wide, wide)
        ) + bias.reshape(1, -1, 1, 1)
        if i < len(layers) - 1:
            seen = jnp.maximum(seen, 0)
    return seen


def loss(parameters: Parameters, layers: Layers, pictures: Any, truth: Any, sizes: Any) -> Any:
    """Cross entropy over the things, and over what is none the more the surer it is taken for one; errors of size."""
    answers = scores(layers, parameters, pictures)
    said = jax.nn.log_softmax(answers[:, :-1], axis=1)
    at = jnp.maximum(truth, 0)
    right = jnp.take_along_axis(said, at[:, None], axis=1)[:, 0]
    thing, nothing = truth > 0, truth == 0
    wrong = 1 - jnp.exp(right)
    count = jnp.maximum(1, thing.sum())
    larger = jnp.abs(answers[:, -1] - sizes) * thing
    if layers is CLOSE:  # as many looks at nothing as there are
        return -right.mean() + larger.sum() / count
    return (larger.sum() - (right * thing).sum() - 0.5 * (right * wrong**1.5 * nothing).sum()) / count


@partial(jax.jit, static_argnums=(2,), donate_argnums=(0, 1))
def stepped(
    parameters: Parameters, moments: Any, layers: Layers, pictures: Any, truth: Any, sizes: Any, rate: Any, count: Any
) -> Any:
    """Parameters and moments after one step of Adam, and the loss before it."""
    value, slope = jax.value_and_grad(loss)(parameters, layers, pictures, truth, sizes)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], slope)
    second = jax.tree.map(lambda m, g: 0.999 * m + 0.001 * g * g, moments[1], slope)
    fair1, fair2 = 1 - 0.9**count, 1 - 0.999**count
    moved = jax.tree.map(
        lambda p, m, v: p - rate * (m / fair1) / (jnp.sqrt(v / fair2) + 1e-8), parameters, first, second
    )
    return moved, (first, second), value


def _pad(side: int, wide: int) -> int:
    """Pixels added on every side; a layer that looks at all there is adds none."""
    return 0 if side == 8 else wide * (side // 2)


def written(layers: Layers, parameters: Parameters, path: Path) -> None:
    """The network as ONNX: input 1 × 3 × rows × columns, output the answers before softmax, and the size."""
    nodes, weights, name = [], [], "picture"
    for i, ((w, b), (_, _, side, step, wide)) in enumerate(zip(parameters, layers, strict=True)):
        weights += [numpy_helper.from_array(np.asarray(w), f"w{i}"), numpy_helper.from_array(np.asarray(b), f"b{i}")]
        pad = _pad(side, wide)
        nodes.append(
            helper.make_node(
                "Conv",
                [name, f"w{i}", f"b{i}"],
                [f"c{i}"],
                kernel_shape=[side, side],
                strides=[step, step],
                pads=[pad] * 4,
                dilations=[wide, wide],
            )
        )
        name = f"c{i}"
        if i < len(layers) - 1:
            nodes.append(helper.make_node("Relu", [name], [f"r{i}"]))
            name = f"r{i}"
    nodes[-1].output[0] = "answers"
    value = partial(helper.make_tensor_value_info, elem_type=TensorProto.FLOAT)
    graph = helper.make_graph(
        nodes,
        "things",
        [value("picture", shape=["n", 3, "rows", "columns"])],
        [value("answers", shape=["n", len(NAMES) + 1, "r", "c"])],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


BATCHES: Final = {"places": looks.places, "close": looks.crops, "dice": looks.dice}
KEPT: Final = 600  #: of what was drawn is seen again
DRAWN_EVERY: Final = {"places": 1, "close": 1, "dice": 2}  #: steps; in between what was drawn is seen again


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=NETWORKS)
    parser.add_argument("file", type=Path)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--onward", type=Path, help="a network to go on from")
    parser.add_argument("--mean", action="store_true", help="write the mean of that and what was learned at last")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    layers = NETWORKS[asked.network]
    batch = BATCHES[asked.network]
    if asked.mean and not asked.onward:
        parser.error("--mean needs --onward: the network to take the mean with")
    parameters = continued(asked.onward) if asked.onward else begun(layers, asked.seed)
    before = continued(asked.onward) if asked.mean else None
    moments = (jax.tree.map(jnp.zeros_like, parameters), jax.tree.map(jnp.zeros_like, parameters))
    start, usual = time.perf_counter(), 0.0
    # pictures are drawn by a process of their own, a few ahead
    painter = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
    ahead = deque(painter.submit(batch, (asked.seed, step)) for step in range(1, 9))
    every, random = DRAWN_EVERY[asked.network], np.random.default_rng(asked.seed)
    drawn: deque[Batch] = deque(maxlen=KEPT)
    for step in range(1, asked.steps + 1):
        if step % every == 0 or len(drawn) < every:
            drawn.append(ahead.popleft().result())
            ahead.append(painter.submit(batch, (asked.seed, step + 8)))
        if every == 1:
            pictures, truth, sizes = drawn.pop()
        else:
            pictures, truth, sizes = looks.mixed(random, drawn)
        rate = asked.rate * min(1.0, step / 200) * 0.5 * (1 + np.cos(np.pi * step / asked.steps))
        parameters, moments, value = stepped(parameters, moments, layers, pictures, truth, sizes, rate, step)
        usual += 0.02 * (float(value) - usual) if step > 1 else float(value)
        if step % 200 == 0:
            print(f"step {step}: loss {usual:.3f}, {time.perf_counter() - start:.0f} s", flush=True)
            written(layers, parameters, asked.file)
    painter.shutdown(cancel_futures=True)
    if before is not None:  # often the steadier on other pictures (Wortsman et al., 2022)
        parameters = jax.tree.map(lambda one, other: (one + other) / 2, before, parameters)
    written(layers, parameters, asked.file)


if __name__ == "__main__":
    main()
