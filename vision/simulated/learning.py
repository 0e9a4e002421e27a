"""Teach small networks to see dice and pieces on drawn tables, and write them as ONNX.

    python -m vision.simulated.learning places vision/places.onnx --steps 3000
    python -m vision.simulated.learning close vision/close.onnx --steps 18000
    python -m vision.simulated.learning close new.onnx --steps 19000 --rate 1.5e-3 --onward vision/close.onnx
    python -m vision.simulated.learning dice vision/values.onnx --steps 30000
    python -m vision.simulated.learning dice new.onnx --steps 5900 --rate 7e-4 --onward vision/values.onnx --mean
    python -m vision.simulated.learning dice new.onnx --steps 3060 --rate 8e-4 --onward vision/values.onnx --mean
    python -m vision.simulated.learning tones new.onnx --steps 4500 --rate 1.5e-3 --onward vision/values.onnx --seed 21
    python -m vision.simulated.learning tones new.onnx --steps 7000 --rate 1.5e-3 --onward vision/tones.onnx --seed 31
    python -m vision.simulated.learning tones new.onnx --steps 3000 --rate 1.2e-3 --onward vision/tones.onnx \
        --seed 41 --mean
    python -m vision.simulated.learning tones vision/shades.onnx --steps 7000 --rate 1.5e-3 --onward vision/tones.onnx \
        --seed 61

Needs the extra `train` (torch, onnx). The first sees a picture of 1.25 pixels a millimetre and says for every fourth
pixel whether the middle of a thing is there, which, and how large it is. The second looks closely at one such place,
64 × 64 pixels at 2 a millimetre, and says the same. The third looks at dice still closer, whatever they measure,
and the others at the same in colours drawn apart as well. Each of these lines was run with what was drawn at its time.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn.utils import fusion

from vision.simulated import looks
from vision.simulated.looks import Batch
from vision.simulated.throws import NAMES


class Layer(NamedTuple):
    """A convolution: channels in and out, the sides of its window, its step, its dilation, and into how many groups."""

    inner: int
    outer: int
    side: int
    step: int = 1
    wide: int = 1
    groups: int = 1

    @property
    def pad(self) -> int:
        """Pixels added on every side; a layer that looks at all there is adds none."""
        return 0 if self.side == ALL else self.wide * (self.side // 2)


@dataclass(frozen=True, slots=True)
class Task:
    """A network to be taught: its layers, what it is shown in a step, and how.

    Its channels are normalised while it learns where it is `normed`. Pictures are drawn every so many steps; with
    more than one of `every`, what was drawn is seen again in between. With `looks_only` there is one place a picture.
    """

    layers: tuple[Layer, ...]
    batch: Any
    every: int
    looks_only: bool
    normed: bool
    rate: float
    toned: bool = False


ALL: Final = 8  #: places a side of what the last but one layer of a close look sees
SAID: Final = len(NAMES) + 1
PLACES: Final = (
    Layer(3, 16, 3), Layer(16, 24, 3, 2), Layer(24, 32, 3), Layer(32, 48, 3, 2), Layer(48, 48, 3),
    Layer(48, 48, 3, wide=2), Layer(48, 48, 3, wide=4), Layer(48, 64, 3), Layer(64, SAID, 1),
)  # fmt: skip
CLOSE: Final = (
    Layer(3, 16, 3), Layer(16, 32, 3, 2), Layer(32, 64, 3, 2), Layer(64, 64, 3), Layer(64, 96, 3, 2),
    Layer(96, 96, 3), Layer(96, 96, ALL, ALL), Layer(96, SAID, 1),
)  # fmt: skip
DICE: Final = (
    Layer(3, 24, 5, 2), Layer(24, 48, 3), Layer(48, 48, 3, 2), Layer(48, 72, 3), Layer(72, 72, 3), Layer(72, 96, 3, 2),
    Layer(96, 96, 3), Layer(96, 96, 3), Layer(96, 96, ALL, groups=96), Layer(96, SAID, 1),
)  # fmt: skip
TONES: Final = (Layer(6, 48, 5, 2, groups=2), Layer(48, 48, 3), *DICE[2:])
TASKS: Final = {
    "places": Task(PLACES, looks.places, 1, False, False, 2e-3),
    "close": Task(CLOSE, looks.crops, 1, True, True, 2e-3),
    "dice": Task(DICE, looks.dice, 2, True, True, 3e-3),
    "tones": Task(TONES, looks.dice, 3, True, True, 3e-3, True),
}
KEPT: Final = 2500  #: of what was drawn is seen again
HARDLY: Final = 0.05  #: of what colours as they are count, those drawn apart do at first
DECAY: Final = 0.02  #: of weights
AHEAD: Final = 8  #: batches that are drawn before they are needed


def begun(task: Task) -> nn.Sequential:
    """A network that knows nothing."""
    parts: list[nn.Module] = []
    for i, (inner, outer, side, step, wide, groups) in enumerate(task.layers):
        last = i == len(task.layers) - 1
        normed = task.normed and not last
        padding = task.layers[i].pad
        parts.append(nn.Conv2d(inner, outer, side, step, padding, wide, groups, bias=not normed))
        nn.init.kaiming_normal_(parts[-1].weight, nonlinearity="relu")
        parts += [nn.BatchNorm2d(outer)] if normed else []
        parts += [] if last else [nn.ReLU()]
    return nn.Sequential(*parts).to(memory_format=torch.channels_last)


def continued(task: Task, path: Path) -> nn.Sequential:
    """A network already written; its channels are not normalised any more.

    One that saw colours as they are may go on as one that sees them drawn apart as well, by the same weights.
    """
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(path).graph.initializer}
    if len(stored["w0"]) < task.layers[0].outer:
        stored |= {key: np.concatenate([stored[key]] * 2) for key in ("w0", "b0")}
        stored["w1"] = np.concatenate([stored["w1"], HARDLY * stored["w1"]], axis=1)
    network = begun(replace(task, normed=False))
    for i, layer in enumerate(_convolutions(network)):
        layer.weight.data = torch.tensor(stored[f"w{i}"])
        layer.bias.data = torch.tensor(stored[f"b{i}"])
    return network


def normed(task: Task, network: nn.Sequential, pictures: torch.Tensor) -> nn.Sequential:
    """The same network, its channels normalised again by what they are on these pictures, to go on from."""
    again, seen = begun(task), pictures
    stored = iter(_convolutions(network))
    with torch.no_grad():
        for part in again:
            if isinstance(part, nn.Conv2d):
                layer = next(stored)
                part.weight.data = layer.weight.data
                if part.bias is not None:
                    part.bias.data = layer.bias.data
            elif isinstance(part, nn.BatchNorm2d):
                mean, spread = seen.mean((0, 2, 3)), seen.var((0, 2, 3), unbiased=False)
                part.running_mean, part.running_var = mean, spread
                part.weight.data, part.bias.data = torch.sqrt(spread + part.eps), mean + layer.bias.data
            seen = part.eval()(seen)
    return again.train()


def loss(answers: torch.Tensor, truth: torch.Tensor, sizes: torch.Tensor, looks_only: bool) -> torch.Tensor:
    """Cross entropy over the things, and over what is none the more the surer it is taken for one; errors of size."""
    said = torch.log_softmax(answers[:, :-1], dim=1)
    right = said.gather(1, truth.clamp(min=0)[:, None])[:, 0]
    thing, nothing = truth > 0, truth == 0
    count = thing.sum().clamp(min=1)
    larger = ((answers[:, -1] - sizes).abs() * thing).sum()
    if looks_only:  # as many looks at nothing as there are
        return -right.mean() + larger / count
    return (larger - (right * thing).sum() - 0.5 * (right * (1 - right.exp()) ** 1.5 * nothing).sum()) / count


def taught(task: Task, network: nn.Sequential, seed: int, steps: int, rate: float, path: Path) -> nn.Sequential:
    """The network after so many steps; what it has learned is written now and then."""
    parameters = list(network.parameters())
    groups = [
        {"params": [p for p in parameters if p.ndim > 1], "weight_decay": DECAY},
        {"params": [p for p in parameters if p.ndim == 1], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98))
    start, usual = time.perf_counter(), 0.0
    for step, batch in enumerate(_batches(task, seed, steps), 1):
        pictures, truth, sizes = (torch.from_numpy(part) for part in batch)
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, step / 200) * 0.5 * (1 + np.cos(np.pi * step / steps))
        with torch.autocast("cpu", torch.bfloat16):
            answers = network(pictures.contiguous(memory_format=torch.channels_last))
        value = loss(answers.float(), truth.long(), sizes, task.looks_only)
        optimizer.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(parameters, 2.0)
        optimizer.step()
        usual += 0.02 * (value.item() - usual) if step > 1 else value.item()
        if step % 200 == 0:
            print(f"step {step}: loss {usual:.3f}, {time.perf_counter() - start:.0f} s", flush=True)
            written(task, plain(network), path)
    return network


def _batches(task: Task, seed: int, steps: int) -> Any:
    """What is shown in each step; pictures are drawn by a process of their own, a few ahead."""
    painter = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
    ahead = deque(painter.submit(task.batch, (seed, step)) for step in range(AHEAD))
    random, drawn = np.random.default_rng(seed), deque[Batch](maxlen=KEPT)
    for step in range(steps):
        if step % task.every == 0:
            drawn.append(ahead.popleft().result())
            ahead.append(painter.submit(task.batch, (seed, step + AHEAD)))
        yield looks.shown(drawn.pop() if task.every == 1 else looks.mixed(random, drawn), task.toned)
    painter.shutdown(cancel_futures=True)


def plain(network: nn.Sequential) -> list[nn.Conv2d]:
    """Its convolutions as they are used: what normalises channels is part of them."""
    layers: list[nn.Conv2d] = []
    for part in network:
        if isinstance(part, nn.Conv2d):
            layers.append(part)
        elif isinstance(part, nn.BatchNorm2d):
            layers[-1] = fusion.fuse_conv_bn_eval(layers[-1].eval(), part.eval())
            part.train()
    return layers


def mean(one: list[nn.Conv2d], other: list[nn.Conv2d]) -> list[nn.Conv2d]:
    """The mean of two networks, often the steadier on other pictures (Wortsman et al., 2022)."""
    for layer, old in zip(one, other, strict=True):
        layer.weight.data = (layer.weight.data + old.weight.data) / 2
        layer.bias.data = (layer.bias.data + old.bias.data) / 2
    return one


def written(task: Task, network: list[nn.Conv2d], path: Path) -> None:
    """The network as ONNX: input n × 3 × rows × columns, output the answers before softmax, and the size."""
    nodes, weights, name = [], [], "picture"
    for i, (part, layer) in enumerate(zip(network, task.layers, strict=True)):
        stored = {f"w{i}": part.weight, f"b{i}": part.bias}
        weights += [numpy_helper.from_array(v.detach().contiguous().numpy(), key) for key, v in stored.items()]
        nodes.append(
            helper.make_node(
                "Conv",
                [name, f"w{i}", f"b{i}"],
                [f"c{i}"],
                kernel_shape=[layer.side, layer.side],
                strides=[layer.step, layer.step],
                pads=[layer.pad] * 4,
                dilations=[layer.wide, layer.wide],
                group=layer.groups,
            )
        )
        name = f"c{i}"
        if i < len(task.layers) - 1:
            nodes.append(helper.make_node("Relu", [name], [f"r{i}"]))
            name = f"r{i}"
    nodes[-1].output[0] = "answers"
    value = partial(helper.make_tensor_value_info, elem_type=TensorProto.FLOAT)
    graph = helper.make_graph(
        nodes,
        "things",
        [value("picture", shape=["n", task.layers[0].inner, "rows", "columns"])],
        [value("answers", shape=["n", SAID, "r", "c"])],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def _convolutions(network: nn.Sequential) -> list[nn.Conv2d]:
    return [part for part in network if isinstance(part, nn.Conv2d)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=TASKS)
    parser.add_argument("file", type=Path)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--rate", type=float, help="the highest rate of learning")
    parser.add_argument("--onward", type=Path, help="a network to go on from")
    parser.add_argument("--mean", action="store_true", help="write the mean of that and what was learned at last")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    task = TASKS[asked.network]
    if asked.mean and not asked.onward:
        parser.error("--mean needs --onward: the network to take the mean with")
    torch.manual_seed(asked.seed)
    network = continued(task, asked.onward) if asked.onward else begun(task)
    if asked.onward and task.normed:
        network = normed(task, network, torch.from_numpy(looks.shown(task.batch((asked.seed, 0)), task.toned)[0]))
    layers = plain(taught(task, network, asked.seed, asked.steps, asked.rate or task.rate, asked.file))
    if asked.mean:
        layers = mean(layers, plain(continued(task, asked.onward)))
    written(task, layers, asked.file)


if __name__ == "__main__":
    main()
