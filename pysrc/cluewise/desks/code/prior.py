"""Which codes the code maker may have chosen: weights of codes and of kinds of codes.

>>> Prior(kinds={"00": 0}).weight("11"), Prior(kinds={"00": 0}, codes={"11": 2}).weight("11")
(0, 2)
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import msgspec

Weight = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Prior(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Weights of codes, 1 where nothing is said; a code of weight 0 cannot be the secret."""

    kinds: dict[str, Weight] = {}
    """Weights of kinds, each named by its least code: `{"0000": 0}` leaves out one colour only."""
    codes: dict[str, Weight] = {}
    """Weights of single codes, which win over those of kinds."""

    def weight(self, code: str) -> int:
        """The weight of a code."""
        if code in self.codes:
            return self.codes[code]
        return self.kinds.get(least_of_kind(code), 1)


def least_of_kind(code: str) -> str:
    """The least code of the same pattern: `least_of_kind("3212") == "0012"`."""
    counts = sorted(Counter(code).values(), reverse=True)
    return "".join("0123456789abcdef"[i] * n for i, n in enumerate(counts))
