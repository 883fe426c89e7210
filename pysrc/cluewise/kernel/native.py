"""The kernel under wasmtime, for the terminal, notebooks and tests."""

from __future__ import annotations

import ctypes
import struct
from contextlib import suppress
from importlib import resources
from typing import Any

import wasmtime

from cluewise.errors import HostFailure
from cluewise.kernel.functions import TAKES

_SLOT = {"p": "i12x", "i": "i12x", "d": "d8x"}  # a value of wasmtime's C interface: 16 bytes


class WasmtimeHost:
    """kernel.wasm in this process; the memory is a zero-copy view.

    `config` configures the engine, for tests that limit run time. `direct`: bypass wasmtime's
    Python objects if possible (`CFunctionCaller`). `code` replaces kernel.wasm.
    """

    def __init__(
        self,
        config: wasmtime.Config | None = None,
        *,
        direct: bool = True,
        code: bytes | None = None,
    ) -> None:
        config = config or _cached_config()
        config.wasm_simd = True
        self.engine = wasmtime.Engine(config)
        code = code or resources.files("cluewise.kernel").joinpath("kernel.wasm").read_bytes()
        self._store = wasmtime.Store(self.engine)
        instance = wasmtime.Instance(self._store, wasmtime.Module(self.engine, code), [])
        exports = instance.exports(self._store)
        memory = exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self._functions = {
            name: item for name, item in exports.items() if isinstance(item, wasmtime.Func)
        }
        self._memory = memory  # keeps the bytes under the view alive
        self._view = memoryview(memory.get_buffer_ptr(self._store)).cast("B")
        self._words = self._view.cast("i")
        self.size = self._view.nbytes
        self.direct = _direct(self._store, self._functions) if direct else None

    def call(self, name: str, arguments: tuple[float, ...]) -> int:
        """Call a function and return its 32-bit result; a trap (a bug) raises HostFailure."""
        try:
            if self.direct is not None:
                return self.direct.call(name, arguments)
            result = self._functions[name](self._store, *arguments)
        except wasmtime.Trap as trap:
            raise HostFailure(f"The kernel stopped in {name}: {trap.message}") from None
        assert isinstance(result, int)
        return result

    def write(self, at: int, data: memoryview) -> None:
        """Copy bytes into the memory."""
        self._view[at : at + data.nbytes] = data

    def read_into(self, at: int, out: memoryview) -> None:
        """Copy bytes out of the memory."""
        out[:] = self._view[at : at + out.nbytes]

    def fill(self, at: int, length: int) -> None:
        """Set bytes to zero."""
        self._view[at : at + length] = bytes(length)

    def word(self, at: int) -> int:
        """Return the i32 at an address divisible by four."""
        return self._words[at >> 2]


def _cached_config() -> wasmtime.Config:
    """Return settings with a cache of compiled code in the user's cache folder.

    Compiling the kernel takes 0.6 s of processor time, loading it from the cache 5 ms. Without a
    cache folder each process compiles it.
    """
    config = wasmtime.Config()
    with suppress(wasmtime.WasmtimeError):
        config.cache = True
    return config


class CFunctionCaller:
    """Calls functions through wasmtime's C interface, with all arguments packed at once.

    `wasmtime.Func` looks up the type and creates several objects per argument: 9 µs plus 7 µs per
    argument, compared with 2 µs per call here. The interface is not public, so `_direct` checks
    that all of it exists.
    """

    def __init__(self, store: wasmtime.Store, functions: dict[str, wasmtime.Func]) -> None:
        from wasmtime import _ffi as interface

        self._call = interface.wasmtime_func_call_unchecked
        self._store, self._no_trap = store, ctypes.POINTER(interface.wasm_trap_t)
        self._context = store._context()
        most = max(map(len, TAKES.values()))
        self._values = (interface.wasmtime_val_raw_t * most)()
        if ctypes.sizeof(self._values) != 16 * most:
            raise TypeError("values of another size")
        self._bytes = memoryview(self._values).cast("B")
        self._result = self._bytes[:4].cast("i")
        self._known: dict[str, tuple[struct.Struct, int, Any]] = {}
        for name, letters in TAKES.items():
            form = struct.Struct("<" + "".join(_SLOT[letter] for letter in letters))
            room = max(1, len(letters))  # the result takes the first argument's place
            self._known[name] = form, room, ctypes.byref(functions[name]._func)

    def call(self, name: str, arguments: tuple[float, ...]) -> int:
        """Call a function and return its 32-bit result. Raises `wasmtime.Trap`."""
        form, room, function = self._known[name]
        try:
            form.pack_into(self._bytes, 0, *arguments)
        except struct.error:
            form.pack_into(self._bytes, 0, *_wrapped(name, arguments))
        trap = self._no_trap()
        failed = self._call(self._context, function, self._values, room, ctypes.byref(trap))
        if failed:
            raise wasmtime.WasmtimeError._from_ptr(failed)
        if trap:
            raise wasmtime.Trap._from_ptr(trap)
        return self._result[0]


def _wrapped(name: str, arguments: tuple[float, ...]) -> list[float]:
    """Return the arguments with integers reduced to their low 32 bits, as on every host."""
    letters = TAKES[name]
    if len(arguments) != len(letters):
        raise TypeError(f"{name} takes {letters!r}, not {len(arguments)} arguments")
    taken: list[float] = []
    for letter, value in zip(letters, arguments, strict=True):
        if letter == "d":
            taken.append(value)
        elif isinstance(value, int):
            taken.append((value + (1 << 31)) % (1 << 32) - (1 << 31))
        else:
            raise TypeError(f"{name} takes {letters!r}, not {value!r} for a whole number")
    return taken


def _direct(store: wasmtime.Store, functions: dict[str, wasmtime.Func]) -> CFunctionCaller | None:
    """Return a `CFunctionCaller`; None if this wasmtime lacks the interface."""
    try:
        found = CFunctionCaller(store, functions)
        version = found.call("kernel_version", ())
    except (AttributeError, ImportError, TypeError, ctypes.ArgumentError):
        return None
    return found if version == functions["kernel_version"](store) else None
