"""The kernel's doors stay shut to nonsense: a status or an answer, never a trap."""

from __future__ import annotations

import random
from array import array

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cluewise.desks.rack.engine.counting import WORK
from cluewise.desks.rack.engine.encoding import DealModel, pack
from cluewise.desks.rack.engine.rollout import WORK as GAMES_WORK
from cluewise.desks.rack.engine.rollout import encode_game, refusal
from cluewise.desks.rack.position import Position
from cluewise.errors import CluewiseError
from cluewise.kernel import kernel
from reference.rack_positions import table

JUNK = [-(2**31), -1, 0, 1, 2, 3, 4, 5, 13, 14, 15, 16, 20, 21, 34, 35, 255, 2**16, 2**31 - 1]
OUT = 1 << 20  # bytes


def damaged(plan: DealModel, dice: random.Random) -> array[int]:
    words = plan.encoded[:]
    for _ in range(dice.randint(1, 4)):
        words[dice.randrange(len(words))] = dice.choice(JUNK)
    return words[: dice.randint(0, len(words))] if dice.random() < 0.2 else words


def statuses(words: array[int], dice: random.Random, work_bytes: int) -> list[int]:
    """What every exported function says to the words."""
    host = kernel().host
    with kernel().frame() as frame:
        at, ask = frame.put(words), frame.put(array("i", [0xFFFF] * 12))
        work, out = frame.reserve(WORK), frame.reserve(OUT)
        extra = frame.put(array("i", [dice.choice(JUNK) for _ in range(60)]))
        head, room = (at, len(words)), (work, work_bytes)
        part, other = dice.choice(JUNK), dice.choice(JUNK)
        known = (dice.randint(0, 3), dice.choice(JUNK) % 7, dice.choice(JUNK) % 7)
        return [
            host.call("rack_posterior", (*head, 1, *room, out, OUT // 8)),
            host.call("rack_cuts", (*head, ask, part % 4, *room, out, 2000)),
            host.call(
                "rack_joint", (*head, part, other, part, part % 5, 0.5, *room, out, OUT // 8)
            ),
            *(
                host.call(
                    "rack_detector",
                    (*head, part % 4, other % 2048, part % 7, *known, reds, *room, out),
                )
                for reds in (-1, 1)
            ),
            host.call("rack_successes", (*head, part % 4, other % 5, part, *room, out, 2000)),
            host.call("rack_indicate", (*head, extra, 60, *room, out, OUT // 8)),
            host.call("rack_gains", (*head, extra, 60, part % 3, *room, out, OUT // 8)),
        ]


@settings(max_examples=250, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_damaged_encodings_never_trap(seed: int) -> None:
    dice = random.Random(seed)
    position = msgspec.convert(table(dice), Position)
    try:
        plan = pack(position)
    except CluewiseError:
        return
    for words in (plan.encoded, damaged(plan, dice), damaged(plan, dice)):
        assert all(status >= -3 for status in statuses(words, dice, WORK))


@pytest.mark.sampled(of="rack, brute force")
def test_damaged_games_never_trap() -> None:
    for seed in range(120):
        dice = random.Random(seed)
        position = msgspec.convert({**table(dice, groups=False), "viewer": 0}, Position)
        if refusal(position):
            continue
        good = encode_game(position)
        for _ in range(6):
            words = array("i", good)
            for _ in range(dice.randint(0, 3)):
                words[dice.randrange(len(words))] = dice.choice(JUNK)
            choice = array("i", [dice.choice(JUNK) if dice.random() < 0.2 else 0 for _ in range(4)])
            with kernel().frame() as frame:
                at, first, work = frame.put(words), frame.put(choice), frame.reserve(GAMES_WORK)
                deals, won = frame.reserve(4 * 70, zero=True), frame.reserve(4)
                head, room = (at, len(words)), (work, GAMES_WORK)
                host = kernel().host
                drawn = host.call("rack_win_draw", (*head, seed, 4, *room, deals))
                chances = frame.reserve(8 * 4)
                listed = host.call("rack_win_deals", (*head, 4, *room, deals, chances))
                played = host.call("rack_win_play", (*head, deals, 4, first, 1, *room, won))
                assert drawn >= -3
                assert -3 <= listed <= 5
                assert played >= -3


def test_a_small_work_buffer_is_refused() -> None:
    dice = random.Random(1)
    position = msgspec.convert(table(dice), Position)
    words = pack(position).encoded
    for size in (-1, 0, 100, 20_000, 200_000, 2_000_000):
        assert statuses(words, dice, size)[0] == -2
