"""Teach small networks to see dice and pieces on drawn tables, and write them as ONNX.

    python -m vision.simulated.learning places vision/places.onnx --steps 3000
    python -m vision.simulated.learning close vision/close.onnx --steps 18000
    python -m vision.simulated.learning close new.onnx --steps 7000 --rate 8e-4 --onward vision/close.onnx
    python -m vision.simulated.learning dice vision/values.onnx --steps 30000

Needs the extra `train` (torch, onnx). The first sees a picture of 1.25 pixels a millimetre and says for every fourth
pixel whether the middle of a thing is there, which, and how large it is. The second looks closely at one such place,
64 × 64 pixels at 2 a millimetre, and says the same. The third looks as closely at what may be a die.
"""

from __future__ import annotations

import argparse
import copy
import multiprocessing
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from vision.simulated import looks
from vision.simulated.looks import Batch
from vision.simulated.throws import NAMES

SAID: Final = len(NAMES) + 1  #: channels of an answer: each name's score, and the logarithm of the size
RATE: Final = 1e-3
WARM: Final = 300  #: steps until the rate is reached
KEPT: Final = 600  #: of what was drawn is seen again
AHEAD: Final = 8  #: batches that are drawn before they are needed
MEAN: Final = 0.999  #: what is written is a running mean, which forgets so slowly: steadier on other pictures


class Residual(nn.Module):  # type: ignore[misc]
    """Two convolutions beside a short way (He et al., 2016), which at first alone is heard (Zhang et al., 2019)."""

    def __init__(self, inner: int, outer: int, step: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(inner, outer, 3, step, 1)
        self.second = nn.Conv2d(outer, outer, 3, 1, 1)
        self.short = nn.Identity() if inner == outer else nn.Conv2d(inner, outer, 1, step)
        nn.init.zeros_(self.second.weight)

    def forward(self, seen: Tensor) -> Tensor:
        more = self.second(functional.relu(self.first(seen)))
        return functional.relu(self.short(seen) + more)


def _plain(*layers: tuple[int, int, int, int, int]) -> nn.Sequential:
    """Convolutions (channels in and out, side, step, dilation); one of side 8 sees all there is."""
    parts: list[nn.Module] = []
    for inner, outer, side, step, wide in layers:
        pad = 0 if side == 8 else wide * (side // 2)
        parts += [nn.Conv2d(inner, outer, side, step, pad, wide), nn.ReLU()]
    return nn.Sequential(*parts[:-1])


def places() -> nn.Sequential:
    return _plain(
        (3, 16, 3, 1, 1), (16, 24, 3, 2, 1), (24, 32, 3, 1, 1), (32, 48, 3, 2, 1), (48, 48, 3, 1, 1),
        (48, 48, 3, 1, 2), (48, 48, 3, 1, 4), (48, 64, 3, 1, 1), (64, SAID, 1, 1, 1),
    )  # fmt: skip


def close() -> nn.Sequential:
    return _plain(
        (3, 16, 3, 1, 1), (16, 32, 3, 2, 1), (32, 64, 3, 2, 1), (64, 64, 3, 1, 1), (64, 96, 3, 2, 1),
        (96, 96, 3, 1, 1), (96, 96, 8, 8, 1), (96, SAID, 1, 1, 1),
    )  # fmt: skip


def dice() -> nn.Sequential:
    blocks = [Residual(16, 32, 1), Residual(32, 64, 2), Residual(64, 128, 2), Residual(128, 128, 1)]
    ends = [nn.Conv2d(128, 128, 8), nn.ReLU(), nn.Conv2d(128, SAID, 1)]
    return nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), *blocks, *ends)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A network, what it learns from, and after how many steps that is drawn anew (in between it is seen again)."""

    network: Callable[[], nn.Sequential]
    batch: Callable[[tuple[int, int]], Batch]
    every: int
    rows: int  #: pixels of a picture's side


LESSONS: Final = {
    "places": Lesson(places, looks.places, 1, 128),
    "close": Lesson(close, looks.crops, 1, looks.CROP),
    "dice": Lesson(dice, looks.dice, 5, looks.CROP),
}


def loss(answers: Tensor, truth: Tensor, sizes: Tensor) -> Tensor:
    """Cross entropy over the things, and over what is none the more the surer it is taken for one; errors of size."""
    said = functional.log_softmax(answers[:, :-1], dim=1)
    right = said.gather(1, truth.clamp(min=0)[:, None])[:, 0]
    thing, nothing = truth > 0, truth == 0
    count = thing.sum().clamp(min=1)
    larger = ((answers[:, -1] - sizes).abs() * thing).sum() / count
    if truth.shape[-1] == 1:  # close looks: as many at nothing as there are
        return larger - right.mean()
    unlikely = (1 - right.exp()) ** 1.5
    return larger - ((right * thing).sum() + 0.5 * (right * unlikely * nothing).sum()) / count


def batches(lesson: Lesson, seed: int, steps: int) -> Iterator[Batch]:
    """What is learned from, step by step; pictures are drawn by a process of their own."""
    random = np.random.default_rng(seed)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as painter:
        ahead = deque(painter.submit(lesson.batch, (seed, number)) for number in range(AHEAD))
        drawn: deque[Batch] = deque(maxlen=KEPT)
        for step in range(steps):
            if step % lesson.every == 0:
                drawn.append(ahead.popleft().result())
                ahead.append(painter.submit(lesson.batch, (seed, AHEAD + step // lesson.every)))
            yield drawn.pop() if lesson.every == 1 else looks.mixed(random, drawn)
        painter.shutdown(cancel_futures=True)


def continued(network: nn.Module, path: Path) -> None:
    """Give a network the weights of one already written, which has the same convolutions in the same order."""
    graph = onnx.load(path).graph
    stored = {tensor.name: torch.tensor(numpy_helper.to_array(tensor)) for tensor in graph.initializer}
    convolutions = [part for part in network.modules() if isinstance(part, nn.Conv2d)]
    nodes = [node for node in graph.node if node.op_type == "Conv"]
    for part, node in zip(convolutions, nodes, strict=True):
        weight, bias = (stored[name] for name in node.input[1:])
        part.load_state_dict({"weight": weight, "bias": bias})


def written(network: nn.Module, rows: int, path: Path) -> None:
    """The network as ONNX: input 1 × 3 × rows × columns, output the answers before softmax, and the size."""
    told = torch.zeros(1, 3, rows, rows)
    torch.onnx.export(
        copy.deepcopy(network).eval(), (told,), path, input_names=["picture"], output_names=["answers"],
        opset_version=17, dynamo=False,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=LESSONS)
    parser.add_argument("file", type=Path)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--onward", type=Path, help="a network to go on from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args()
    torch.manual_seed(asked.seed)
    torch.set_num_threads(asked.threads)
    lesson = LESSONS[asked.network]
    network = lesson.network().to(memory_format=torch.channels_last)
    if asked.onward:
        continued(network, asked.onward)
    mean = torch.optim.swa_utils.AveragedModel(network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(MEAN))
    descent = torch.optim.AdamW(network.parameters(), asked.rate, weight_decay=0.02)
    start, usual = time.perf_counter(), 0.0
    for step, (pictures, truth, sizes) in enumerate(batches(lesson, asked.seed, asked.steps), 1):
        rate = asked.rate * min(1.0, step / WARM) * 0.5 * (1 + np.cos(np.pi * step / asked.steps))
        for group in descent.param_groups:
            group["lr"] = rate
        seen = torch.from_numpy(pictures).to(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            answers = network(seen)
        value = loss(answers.float(), torch.from_numpy(truth).long(), torch.from_numpy(sizes))
        descent.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        descent.step()
        mean.update_parameters(network)
        usual += 0.02 * (value.item() - usual) if step > 1 else value.item()
        if step % 200 == 0:
            print(f"step {step}: loss {usual:.3f}, {time.perf_counter() - start:.0f} s", flush=True)
            written(mean.module, lesson.rows, asked.file)
    written(mean.module, lesson.rows, asked.file)


if __name__ == "__main__":
    main()
