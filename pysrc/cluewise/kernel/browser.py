"""The kernel in Pyodide: an instance in JavaScript, of which we hold two proxies.

Our page's worker fetches kernel.wasm next to Python and registers it as a module `cluewise_kernel`
with `exports` and `view`, a Uint8Array over the whole memory. Any other Pyodide (a notebook,
somebody's page, Node) finds kernel.wasm in the wheel, and it is started from there. The memory
never grows, so the view never detaches.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

from cluewise.errors import HostFailure

WINDOWS = 256  # kept parts of the memory


class BrowserHost:
    """kernel.wasm under the browser's, or Node's, own WebAssembly."""

    def __init__(self) -> None:
        from js import Int32Array  # type: ignore[import-not-found]  # the host's own

        self._exports, self._view = _registered() or _from_the_wheel()
        self._functions: dict[str, Any] = {}
        self._words = Int32Array.new(self._view.buffer)
        # Methods are asked for once: to name one takes longer than to call it.
        self._part, self._fill = self._view.subarray, self._view.fill
        self._windows: dict[tuple[int, int], tuple[Any, Any]] = {}
        self.size = int(self._view.length)

    def call(self, name: str, arguments: tuple[float, ...]) -> int:
        """The function's 32-bit result."""
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = getattr(self._exports, name)
        try:
            return int(function(*arguments))
        except Exception as trap:  # a JsException, a class that only Pyodide has
            raise HostFailure(f"The kernel stopped in {name}: {trap}") from None

    def write(self, at: int, data: memoryview) -> None:
        """Copy bytes into the memory."""
        self._window(at, data.nbytes)[0](data)

    def read_into(self, at: int, out: memoryview) -> None:
        """Copy bytes out of the memory."""
        self._window(at, out.nbytes)[1](out)

    def _window(self, at: int, length: int) -> tuple[Any, Any]:
        """What copies into a part of the memory, and out of it.

        Buffers of a question lie where those of the one before lay, and to make a part anew takes
        longer than to copy a few thousand bytes.
        """
        known = self._windows.get((at, length))
        if known is None:
            if len(self._windows) >= WINDOWS:
                self._windows.clear()
            part = self._part(at, at + length)
            known = self._windows[at, length] = part.assign, part.assign_to
        return known

    def fill(self, at: int, length: int) -> None:
        """Set bytes to zero."""
        self._fill(0, at, at + length)

    def word(self, at: int) -> int:
        """The i32 at an address that four divides."""
        return int(self._words[at >> 2])


def fetch_sync(name: str) -> bytes:
    """A file of the site, fetched while the worker waits. Raises `HostFailure` if it cannot be."""
    from js import XMLHttpRequest, location  # the worker's own

    request = XMLHttpRequest.new()
    # The worker's script lies in engine/, the site's files next to that folder.
    request.open("GET", location.href.rpartition("/")[0].rpartition("/")[0] + "/" + name, False)
    request.responseType = "arraybuffer"
    try:
        request.send()
        found = request.status == 200 and request.response is not None
    except Exception:  # JavaScript's network errors arrive as JsException, whatever their kind
        found = False
    if not found:
        raise HostFailure(f"{name} could not be fetched, and this needs it. Are you offline?")
    return bytes(request.response.to_py())


def _registered() -> tuple[Any, Any] | None:
    try:
        import cluewise_kernel  # type: ignore[import-not-found]  # registered by our page's worker
    except ModuleNotFoundError:
        return None
    return cluewise_kernel.exports, cluewise_kernel.view


def _from_the_wheel() -> tuple[Any, Any]:
    """Compiled here and now: 0.4 MB take some ms, and browsers allow it also outside a worker."""
    from js import Uint8Array, WebAssembly
    from pyodide.ffi import JsException, to_js  # type: ignore[import-not-found]  # Pyodide's

    code = resources.files("cluewise.kernel").joinpath("kernel.wasm").read_bytes()
    try:
        module = WebAssembly.Module.new(to_js(code))
        exports = WebAssembly.Instance.new(module).exports
    except JsException as problem:
        raise HostFailure(f"The kernel could not be started here: {problem.message}") from None
    return exports, Uint8Array.new(exports.memory.buffer)
