"""From how much uncertainty a token resolves to a word: poor, moderate, good, excellent.

The bounds of the published metric are the published ones. For the others each bound is the value
that the same share of choices stays below, found by `cluewise rack simulate --draw played
--games 500 --players 5 --seed 1` (column "bands from"), rounded to a tenth of a per cent.
"""

from __future__ import annotations

from cluewise.desks.rack.position import TokenKind
from cluewise.desks.rack.results import Band, Model

NAMES: tuple[Band, ...] = ("poor", "moderate", "good", "excellent")
BOUNDS: dict[tuple[Model, TokenKind], tuple[float, float, float]] = {
    ("published", "standard"): (0.13, 0.20, 0.25),
    ("published", "parity"): (0.035, 0.05, 0.07),
    ("published", "multiplicity"): (0.01, 0.035, 0.05),
    ("joint", "standard"): (0.096, 0.120, 0.155),
    ("joint", "parity"): (0.046, 0.063, 0.074),
    ("joint", "multiplicity"): (0.065, 0.078, 0.092),
    ("bayes", "standard"): (0.101, 0.128, 0.164),
    ("bayes", "parity"): (0.046, 0.063, 0.074),
    ("bayes", "multiplicity"): (0.065, 0.078, 0.092),
}


def band_of(resolved: float, token: TokenKind, model: Model) -> Band:
    """The word for a share of uncertainty; a bound belongs to the better word."""
    return NAMES[sum(resolved >= bound for bound in BOUNDS[model, token])]
