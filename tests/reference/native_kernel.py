"""The kernel as a library of this machine under sanitizers, behind the same calls."""

import ctypes
import importlib.util
import mmap
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from cluewise.errors import HostFailure

SIZE = int(os.environ.get("CLUEWISE_NATIVE_MB", "72")) << 20  # as the module has, or more
BELOW_2_GB = 0x40  # MAP_32BIT


def _nothing(_at: ctypes.c_void_p, _length: ctypes.c_size_t) -> None:
    """Where no sanitizer is: nothing to be told."""


class NativeHost:
    """The library, and a piece of memory for it."""

    def __init__(self, folder: Path) -> None:
        self._library = ctypes.CDLL(str(folder / "kernel.so"))
        run_time = ctypes.CDLL(None)  # where the sanitizer is
        self._poison: Any = _nothing
        self._unpoison: Any = _nothing
        with suppress(AttributeError):
            # Between brackets, since a class would change names that begin with two underscores.
            self._poison = run_time["__asan_poison_memory_region"]
            self._unpoison = run_time["__asan_unpoison_memory_region"]
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | BELOW_2_GB
        self._memory = mmap.mmap(-1, SIZE, flags=flags)
        self._begin = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        if self._begin + SIZE >= 1 << 31:
            raise HostFailure("The memory does not lie below 2 GB.")
        self.size = self._begin + SIZE
        self._library.arena_is(self._begin, self.size)

    def call(self, name: str, arguments: tuple[float, ...]) -> int:
        """The function's 32-bit result."""
        from cluewise.kernel.functions import TAKES

        kinds: dict[str, Any] = {"p": ctypes.c_void_p, "i": ctypes.c_int32, "d": ctypes.c_double}
        given = [kinds[k](a) for k, a in zip(TAKES[name], arguments, strict=True)]
        return int(getattr(self._library, name)(*given))

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
        """The i32 at an address that four divides."""
        return ctypes.c_int32.from_address(at).value

    def lend(self, at: int, length: int) -> None:
        """These bytes may be used from now on."""
        self._unpoison(ctypes.c_void_p(at), ctypes.c_size_t(length))

    def take_back(self, at: int, length: int) -> None:
        """These bytes are nobody's."""
        self._poison(ctypes.c_void_p(at), ctypes.c_size_t(length))


def install(folder: Path) -> None:
    """From now on `kernel()` is the library; before anything of the package is imported."""
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
            host.take_back(self._base, SIZE)

        def _take(self, length: int, beside: list[int]) -> int:
            at = super()._take(length, beside)
            self.host.lend(at, max(length, 16))  # 16: a seal may be broken there
            return at

        def _give_back(self, at: int) -> None:
            end = self._taken[at]
            super()._give_back(at)
            self.host.take_back(at, end - at)

    call._started = lambda: NativeKernel(NativeHost(folder))


if "CLUEWISE_NATIVE" in os.environ:
    install(Path(os.environ["CLUEWISE_NATIVE"]))
