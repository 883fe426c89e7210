"""The kernel as a native library under sanitizers, with the interface of `Kernel`.

`-p reference.native_kernel` with CLUEWISE_NATIVE=FOLDER makes it the kernel of all tests; FOLDER is
that of wasm_build/codegen/native_kernel.py. Memory outside of buffers is poisoned, so that the
address sanitizer reports accesses to it.
"""

import ctypes
import importlib.util
import mmap
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from cluewise.errors import HostFailure

SIZE = int(os.environ.get("CLUEWISE_NATIVE_MB", "72")) << 20  # as in kernel.wasm by default
MAP_32BIT = 0x40  # below 2 GB


def _ignore(_at: ctypes.c_void_p, _length: ctypes.c_size_t) -> None:
    """Do nothing: the library has no address sanitizer."""


class NativeHost:
    """A host with the library and its memory."""

    def __init__(self, folder: Path) -> None:
        self._library = ctypes.CDLL(str(folder / "kernel.so"))
        process = ctypes.CDLL(None)  # has the functions of a preloaded sanitizer
        self._poison: Any = _ignore
        self._unpoison: Any = _ignore
        with suppress(AttributeError):
            # As items, since Python mangles attributes with two leading underscores in a class.
            self._poison = process["__asan_poison_memory_region"]
            self._unpoison = process["__asan_unpoison_memory_region"]
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_32BIT
        self._memory = mmap.mmap(-1, SIZE, flags=flags)
        self._begin = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        if self._begin + SIZE >= 1 << 31:
            raise HostFailure("The memory does not lie below 2 GB.")
        self.size = self._begin + SIZE
        self._library.arena_is(self._begin, self.size)

    def call(self, name: str, arguments: tuple[float, ...]) -> int:
        """Call a function and return its 32-bit result."""
        from cluewise.kernel.functions import TAKES

        kinds: dict[str, Any] = {"p": ctypes.c_void_p, "i": ctypes.c_int32, "d": ctypes.c_double}
        converted = [kinds[k](a) for k, a in zip(TAKES[name], arguments, strict=True)]
        return int(getattr(self._library, name)(*converted))

    def write(self, at: int, data: memoryview) -> None:
        """Copy bytes into the memory."""
        ctypes.memmove(at, bytes(data), data.nbytes)

    def read_into(self, at: int, out: memoryview) -> None:
        """Copy bytes out of the memory."""
        out[:] = ctypes.string_at(at, out.nbytes)

    def fill(self, at: int, length: int) -> None:
        """Set bytes to zero."""
        ctypes.memset(at, 0, length)

    def word(self, at: int) -> int:
        """Return the i32 at an address divisible by four."""
        return ctypes.c_int32.from_address(at).value

    def unpoison(self, at: int, length: int) -> None:
        """Allow access to these bytes."""
        self._unpoison(ctypes.c_void_p(at), ctypes.c_size_t(length))

    def poison(self, at: int, length: int) -> None:
        """Forbid access to these bytes."""
        self._poison(ctypes.c_void_p(at), ctypes.c_size_t(length))


def install(folder: Path) -> None:
    """Make `kernel()` the library. Call it before the package is imported."""
    for name in ("functions", "layouts"):
        spec = importlib.util.spec_from_file_location(
            f"cluewise.kernel.{name}", folder / f"{name}.py"
        )
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    from cluewise.kernel import call

    class NativeKernel(call.Kernel):
        """A kernel whose free memory is poisoned."""

        host: NativeHost

        def __init__(self, host: NativeHost) -> None:
            super().__init__(host)
            host.poison(self._base, SIZE)

        def _allocate(self, length: int, held: list[int]) -> int:
            at = super()._allocate(length, held)
            self.host.unpoison(at, max(length, 16))  # 16: a tag may be cleared there
            return at

        def _free_buffer(self, at: int) -> None:
            end = self._ends[at]
            super()._free_buffer(at)
            self.host.poison(at, end - at)

    call._start_kernel = lambda: NativeKernel(NativeHost(folder))


if "CLUEWISE_NATIVE" in os.environ:
    install(Path(os.environ["CLUEWISE_NATIVE"]))
