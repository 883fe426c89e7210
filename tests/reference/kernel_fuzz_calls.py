"""Fuzzer of the kernel's interface: inserts damaged calls between the calls of real requests."""

import random
import threading
from dataclasses import dataclass, field
from typing import Any

import wasmtime

from cluewise.errors import CluewiseError, HostFailure
from cluewise.kernel.call import Kernel, in_order
from cluewise.kernel.functions import KINDS, TAKES
from cluewise.kernel.native import WasmtimeHost, _direct

MAX_TICKS = 40  # of 50 ms, for a damaged call
NUMBERS = (0, 1, -1, 2, 3, 5, 7, 8, 9, 16, 63, 64, 65, 255, 256, 1000, 4096, 1 << 16, 1 << 24)
EXTREMES = (2**31 - 1, -(2**31), 2**31 - 64, -(2**30))
DOUBLES = (0.0, -1.0, 0.5, 1e300, float("inf"), float("nan"))


class WatchedHost(WasmtimeHost):
    """A host that interrupts a call that runs too long, by a trap."""

    def __init__(self) -> None:
        config = wasmtime.Config()
        config.epoch_interruption = True
        super().__init__(config, direct=False)  # its first call would precede the deadline
        self.allow()
        self.direct = _direct(self._store, self._functions)
        ticker = threading.Thread(target=self._tick, daemon=True)
        self._over = threading.Event()
        ticker.start()

    def _tick(self) -> None:
        while not self._over.wait(0.05):
            self.engine.increment_epoch()

    def allow(self, ticks: int = 1 << 40) -> None:
        """Set the number of ticks that following calls may take."""
        self._store.set_epoch_deadline(ticks)

    def close(self) -> None:
        """Stop the clock."""
        self._over.set()


@dataclass
class Damager(Kernel):
    """A kernel that makes damaged calls before some of the real ones."""

    seed: int
    most: int  # damaged calls in total
    each: int = 3  # damaged calls before one real call
    made: int = 0
    refused: int = 0
    seen: dict[str, int] = field(default_factory=dict)
    defects: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.watched = WatchedHost()
        Kernel.__init__(self, self.watched)

    def call(self, name: str, *arguments: float, **named: float) -> int:
        """Make the real call, perhaps after damaged ones."""
        arguments = in_order(name, arguments, named)
        seen = self.seen[name] = self.seen.get(name, 0) + 1
        if "p" in TAKES[name] and self.made < self.most and self.random.random() < 12 / (seen + 11):
            self._damage(name, arguments)
        return super().call(name, *arguments)

    def _damage(self, name: str, arguments: tuple[float, ...]) -> None:
        top = max(self._ends.values(), default=self._base)
        saved = bytearray(top - self._base)
        self.host.read_into(self._base, memoryview(saved))
        for _ in range(self.each):
            damaged = self._damaged(name, arguments)
            self.made += 1
            self.watched.allow(MAX_TICKS)
            try:
                super().call(name, *damaged)
            except HostFailure as failure:
                self._failed(name, arguments, damaged, str(failure))
            except CluewiseError:
                self.refused += 1
            self.watched.allow()
            self.host.write(self._base, memoryview(saved))

    def _failed(self, name: str, real: Any, damaged: Any, why: str) -> None:
        longer = any(a > b for a, b in zip(damaged, real, strict=True))
        if "interrupt" in why and longer:
            return  # a larger limit means longer work
        self.defects.append(f"{name}{damaged} for {real}: {why.splitlines()[0]}")

    def _damaged(self, name: str, arguments: tuple[float, ...]) -> tuple[float, ...]:
        out = list(arguments)
        if self.random.random() < 0.3:
            self._scribble(name, arguments)
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            i = self.random.randrange(len(out))
            letter = TAKES[name][i]
            if letter == "p":
                out[i] = self._address(int(out[i]))
            elif letter == "d":
                out[i] = self.random.choice(DOUBLES)
            else:
                out[i] = self._number(int(out[i]))
        return tuple(out)

    def _number(self, value: int) -> int:
        near = (value + 1, value - 1, 2 * value, -value, value + 64, value // 2)
        pool = self.random.choice((NUMBERS, near, near, EXTREMES, (self.random.getrandbits(12),)))
        return max(-(2**31), min(2**31 - 1, self.random.choice(pool)))

    def _address(self, at: int) -> int:
        begins = self._begins or [self._base]
        # Not inside other tagged buffers: overwriting those is no fault of a call.
        pool = (0, 1, 16, at + 1, at + 8, self._base, self.host.size - 8, self.host.size, -16)
        return self.random.choice((*pool, self.random.choice(begins), self.random.choice(begins)))

    def _scribble(self, name: str, arguments: tuple[float, ...]) -> None:
        """Overwrite bytes of an input buffer, but not of a tagged one."""
        buffers = [
            int(a) for a, letter in zip(arguments, TAKES[name], strict=True) if letter == "p"
        ]
        read = [at for at, kind in zip(buffers, KINDS[name], strict=True) if kind == "r"]
        places = [at for at in read if at in self._ends]
        if not places:
            return
        at = self.random.choice(places)
        length = min(self._ends[at] - at, 400)
        for _ in range(self.random.choice((1, 2, 8))):
            byte = bytes([self.random.choice((0, 1, 2, 9, 127, 255, self.random.getrandbits(8)))])
            self.host.write(at + self.random.randrange(length), memoryview(byte))


def random_calls(owner: Kernel, draw: random.Random, name: str, *, zero: bool) -> float:
    """Call a function with small numbers, on buffers of zeros or of random bytes."""
    with owner.frame() as frame:
        arguments: list[float] = []
        for letter in TAKES[name]:
            if letter == "d":
                arguments.append(draw.choice(DOUBLES))
            elif letter == "i":
                arguments.append(draw.choice((0, 1, 2, 3, 4, 9, 64, 100, 358, 612, 1 << 16, -1)))
            else:
                size = draw.choice((64, 4096, 1 << 17, 5 << 20))
                at = frame.reserve(size, zero=True)
                if not zero:
                    frame.write(at, draw.randbytes(min(size, 4096)))
                arguments.append(at)
        try:
            return owner.call(name, *arguments)
        except HostFailure:
            raise
        except CluewiseError:
            return -1
