"""A second opinion on dice: what two networks say alike in many looks, by colours as they are and drawn apart.

It is asked for where the first network and the pips leave a doubt, or where that network alone speaks. Where only
hues tell pips, two networks that see colours drawn apart may tell a value alike, the first one having little say in it.
And where that leaves a doubt, all of them with stencils of pips, which learned nothing from pictures. A lamp
mirrored in a face looks like pips or hides them, so all of them look then at the face without its gloss. In smoky dice
whose pips are of a dark hue networks see next to none: there, at last, what stencils fit best counts for more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision import dice
from vision.dice import Face
from vision.matt import matt
from vision.sizes import CLEAR
from vision.stencils import explained
from vision.values import SHADES, TONES, Value, Values

Image = NDArray[np.uint8]
Single = NDArray[np.float32]

BOTH: Final = 0.7  #: share a value must have from each of two networks to be told, or on the mean of all three,
FIRST: Final = 0.5  #: … in which the first one counts so much beside the others;
STENCILS: Final = 3.0  #: to minus this power what its stencil leaves unexplained raises a value's share of that mean:
TOGETHER: Final = 0.85  #: … then it must be this much,
BACKED: Final = 0.65  #: … or this where the pips that are seen show the same
GLOSS: Final = (0.5, 0.7)  #: quantiles of a face beyond which what is white is a lamp's; the mean must be TOGETHER,
MATT_BACKED: Final = 0.75  #: … or this where pips show the same, or to gainsay what is told
WEIGHTY: Final = 8.0  #: the power for stencils of a die of which networks know little: then the mean of six looks
HELD: Final = {3: 0.9, 4: 0.8, 5: 0.8}  #: … must be this much, by value; pips of a three lie as a few glints may
DENIED: Final = 0.5  #: share up to which two networks deny, at a second look, what the first one told
LEAST: Final = 0.003  #: share that every value has at least, whatever networks say
SURELY: Final = 0.95  #: share that the first network must give to all values together
NEVERTHELESS: Final = 0.9  #: … where pips may show something else,
ALONE: Final = 0.95  #: … and for a one: much has a single spot
MOSTLY: Final = 0.8  #: share of each one's looks that must say so


@dataclass(frozen=True, slots=True)
class Said:
    """What may be said of a die, and the share that its likeliest value needs to be acted on.

    Less will do where it is `backed` by pips that show the same. Without `gloss` it is said of the die without it, too.
    """

    value: Value
    needed: float = BOTH
    backed: float = BOTH
    gloss: bool = True


@dataclass(frozen=True, slots=True)
class _Look:
    """A photo of a die, with gloss or without, and what the networks say there, each from where it sees the die."""

    photo: Image
    first: Value
    toned: Value
    shaded: Value

    @property
    def shares(self) -> Single:
        """The shares that they give to values, the first one having less say."""
        shares = FIRST * self.first.shares + self.toned.shares + self.shaded.shares
        return np.asarray(shares / (FIRST + 2), np.float32)

    def fits(self, at: Value) -> Single:
        """How well each value's stencil fits there."""
        return explained(self.photo, at.middle, at.side)


class Opinions:
    """Three networks, ready to look at a die that is in doubt."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._tones = Values(TONES, toned=True)
        self._shades = Values(SHADES, toned=True)

    def said(self, image_bgr: Image, value: Value) -> Iterator[Said]:
        """What may be said of a die that was told there.

        First what two networks say: of two shares the smaller, nothing agreed where they differ. Then what those say
        that see colours drawn apart, each from where it sees the die itself, unless the first one is sure of another;
        then what all say together with stencils, and what they say of it without its gloss. None of these tells a one:
        much has a single spot. Last is what stencils say, with the gloss and without it, more than networks.
        """
        one, other = (network.again(image_bgr, value) for network in (self._values, self._tones))
        agreed = min(one.agreed, other.agreed) if one.best == other.best else 0.0
        yield Said(Value(np.minimum(one.shares, other.shares), one.middle, one.side, agreed))
        if float(value.shares.sum()) < SURELY:
            return
        toned, shaded = (_seen(network, image_bgr, value) for network in (self._tones, self._shades))
        glossy = _Look(image_bgr, one, toned, shaded)
        shares = glossy.shares
        agreed = min(toned.agreed, shaded.agreed) if toned.best == shaded.best and not vetoed(one, shares) else 0.0
        if other.best > 1:
            yield Said(Value(shares, toned.middle, toned.side, agreed))
        fits = glossy.fits(toned)
        shares = stencilled(shares, fits)
        agreed = 0.0 if vetoed(one, shares) or fits.argmax() != shares.argmax() else 1.0
        if shares.argmax() > 1:
            yield Said(Value(shares, toned.middle, toned.side, agreed), TOGETHER, BACKED)
        matted = self._matted(image_bgr, value)
        without = together(matted, value)
        if without.best > 1:
            yield Said(without, TOGETHER, MATT_BACKED, gloss=False)
        fitted = held([glossy, *matted], value)
        if fitted.best in HELD:
            yield Said(fitted, HELD[fitted.best], HELD[fitted.best], gloss=False)

    def denied(self, image_bgr: Image, value: Value, shown: int) -> bool:
        """Whether second looks at a die that only the first network told gainsay it, or one without its gloss does."""
        if float(next(self.said(image_bgr, value)).value.shares[shown]) <= DENIED:
            return True
        plain = matt(image_bgr, value.middle, value.side, GLOSS[0])
        if _fitting(explained(plain, value.middle, value.side)) == shown:  # then not all say something else
            return False
        without = self.without_gloss(image_bgr, value)
        return without.best != shown and without.sure > MATT_BACKED

    def without_gloss(self, image_bgr: Image, value: Value) -> Value:
        """What all say together with stencils of the die without its gloss."""
        return together(self._matted(image_bgr, value), value)

    def _matted(self, image_bgr: Image, value: Value) -> list[_Look]:
        """Looks at the die without its gloss, be that taken for much or little."""
        photos = [matt(image_bgr, value.middle, value.side, usual) for usual in GLOSS]
        networks = (self._values, self._tones, self._shades)
        return [_Look(photo, *(_seen(network, photo, value) for network in networks)) for photo in photos]


def _seen(network: Values, image_bgr: Image, value: Value) -> Value:
    """What a network says of a die that was told there, from where it sees it."""
    return network.again(image_bgr, network.tell(image_bgr, value.middle, value.side))


def together(looks: Sequence[_Look], value: Value) -> Value:
    """What networks and stencils say together in some looks at a die; stencils must fit that best each time."""
    return _joined([(look, look.fits(value)) for look in looks], value, STENCILS)


def held(looks: Sequence[_Look], value: Value) -> Value:
    """The same where stencils count for more: laid where the die was told, and where a network sees it by its hues.

    Errors of so many spots are less by chance than networks know, where these see hardly any pips. It tells no ones
    and twos, as two spots are on many things, and no sixes: their stencils lie in the most ways and cover most of a
    face, so what is smeared fits them best.
    """
    fits = [(look, look.fits(at)) for look in looks for at in (value, look.toned)]
    return _joined(fits, value, WEIGHTY)


def _joined(looks: Sequence[tuple[_Look, Single]], value: Value, power: float) -> Value:
    """The mean of what looks tell with how well stencils fit there; agreed where these all fit that value best."""
    told = [stencilled(look.shares, fits, power) for look, fits in looks]
    shares = np.asarray(np.mean(told, axis=0), np.float32)
    vetoes = any(vetoed(look.first, each) for (look, _), each in zip(looks, told, strict=True))
    best = {_fitting(fits) for _, fits in looks}
    return Value(shares, value.middle, value.side, float(not vetoes and best == {int(shares.argmax())}))


def _fitting(fits: Single) -> int:
    """The value of two or more whose stencil fits best: a one's fits wherever there is a spot."""
    return 2 + int(fits[2:].argmax())


def stencilled(shares: Single, fits: Single, power: float = STENCILS) -> Single:
    """Shares of values that networks tell, together with how well the values' stencils fit.

    What a stencil leaves unexplained is its error, and the less of it the likelier is its value.
    """
    likely = (shares + LEAST) * (1 - fits) ** -power
    return np.asarray(likely * (shares.sum() / likely.sum()), np.float32)


def vetoed(first: Value, shares: Single) -> bool:
    """Whether the first network is sure of another value."""
    return first.best != int(shares.argmax()) and float(first.shares.max()) > BOTH


def enough(said: Said, faces: Sequence[Face]) -> bool:
    """Whether what is said may be acted on, though these faces with pips are seen there as well.

    Clear pips that show something else are never overruled, nor those that are just as many as another value they may
    show: one more may be a glint. Two fewer that are not all clear are: others were not seen. So are those that tell
    several values, where the networks are surer. An empty face is told by what lies beside it only.
    """
    shown, share = said.value.best, float(said.value.shares.max())
    pipped = [face for face in faces if face.pips > 1 and face.values]
    told = [f for f in pipped if f.why != dice.MORE and not (f.why == dice.UNCLEAR and f.pips < shown - 1)]
    if any(f.worth > CLEAR and shown not in f.values for f in told):
        return False
    if any(f.worth > dice.CLEAR and f.pips != shown and f.pips in f.values for f in told):
        return False
    several = any(len(face.values) > 1 and shown not in face.values for face in pipped)
    counted = any(face.pips == shown and shown in face.values for face in pipped)
    backed = any(face.values == (shown,) for face in pipped)
    needed = said.backed if backed else NEVERTHELESS if several and not counted else said.needed
    return shown > 0 and said.value.agreed >= MOSTLY and share > (ALONE if shown == 1 else needed)
