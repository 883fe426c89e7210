"""The kernel under wasmtime, for the terminal, notebooks and tests."""

from __future__ import annotations

from importlib import resources

import wasmtime

from cluewise.errors import HostFailure


class WasmtimeHost:
    """kernel.wasm in this process; the memory is a zero-copy view.

    `config` is what the engine is started with, for tests that stop what runs too long.
    """

    def __init__(self, config: wasmtime.Config | None = None) -> None:
        config = config or wasmtime.Config()
        config.wasm_simd = True
        self.engine = wasmtime.Engine(config)
        code = resources.files("cluewise.kernel").joinpath("kernel.wasm").read_bytes()
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

    def call(self, name: str, arguments: tuple[float, ...]) -> int:
        """The function's 32-bit result; a trap is a defect of ours and becomes HostFailure."""
        try:
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
        """The i32 at an address that four divides."""
        return self._words[at >> 2]
