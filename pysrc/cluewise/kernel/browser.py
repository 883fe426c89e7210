"""The kernel in Pyodide: a JavaScript WebAssembly instance, used through two proxies.

Cluewise's worker loads kernel.wasm in parallel with Python and registers a module `cluewise_kernel`
with `exports` and `view`, a Uint8Array over the whole memory. Elsewhere (a notebook, another page,
Node) kernel.wasm is loaded from the wheel. The memory never grows, so the view stays valid.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

from cluewise.errors import HostFailure

WINDOWS = 256  # cached views of parts of the memory


class BrowserHost:
    """kernel.wasm in the WebAssembly engine of the browser or of Node."""

    def __init__(self) -> None:
        from js import Int32Array  # type: ignore[import-not-found]  # the host's own

        self._exports, self._view = _registered() or _from_the_wheel()
        self._functions: dict[str, Any] = {}
        self._words = Int32Array.new(self._view.buffer)
        # Looking up a method through the proxy takes longer than calling it.
        self._part, self._fill = self._view.subarray, self._view.fill
        self._windows: dict[tuple[int, int], tuple[Any, Any]] = {}
        self.size = int(self._view.length)

    def call(self, name: str, arguments: tuple[float, ...]) -> int:
        """Call a function and return its 32-bit result."""
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = getattr(self._exports, name)
        try:
            return int(function(*arguments))
        except Exception as trap:  # JsException, which exists only in Pyodide
            raise HostFailure(f"The kernel stopped in {name}: {trap}") from None

    def write(self, at: int, data: memoryview) -> None:
        """Copy bytes into the memory."""
        self._window(at, data.nbytes)[0](data)

    def read_into(self, at: int, out: memoryview) -> None:
        """Copy bytes out of the memory."""
        self._window(at, out.nbytes)[1](out)

    def _window(self, at: int, length: int) -> tuple[Any, Any]:
        """Return the functions that copy into and out of a part of the memory.

        They are cached, because buffers recur at the same addresses, and creating a view takes
        longer than copying a few thousand bytes.
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
        """Return the i32 at an address divisible by four."""
        return int(self._words[at >> 2])


def fetch_sync(name: str) -> bytes:
    """Fetch a file of the site synchronously; raises `HostFailure` if that fails."""
    from js import XMLHttpRequest, location  # the worker's own

    request = XMLHttpRequest.new()
    # The worker's script is in engine/, a subfolder of the site's folder.
    request.open("GET", location.href.rpartition("/")[0].rpartition("/")[0] + "/" + name, False)
    request.responseType = "arraybuffer"
    try:
        request.send()
        found = request.status == 200 and request.response is not None
    except Exception:  # all network errors of JavaScript arrive as JsException
        found = False
    if not found:
        raise HostFailure(f"{name} is needed for this but could not be fetched. Are you offline?")
    return bytes(request.response.to_py())


def _registered() -> tuple[Any, Any] | None:
    try:
        import cluewise_kernel  # type: ignore[import-not-found]  # registered by our page's worker
    except ModuleNotFoundError:
        return None
    return cluewise_kernel.exports, cluewise_kernel.view


def _from_the_wheel() -> tuple[Any, Any]:
    """Compile synchronously: 0.4 MB take a few ms, which browsers also allow outside a worker."""
    from js import Uint8Array, WebAssembly
    from pyodide.ffi import JsException, to_js  # type: ignore[import-not-found]  # Pyodide's

    code = resources.files("cluewise.kernel").joinpath("kernel.wasm").read_bytes()
    try:
        module = WebAssembly.Module.new(to_js(code))
        exports = WebAssembly.Instance.new(module).exports
    except JsException as problem:
        raise HostFailure(f"The kernel could not be started here: {problem.message}") from None
    return exports, Uint8Array.new(exports.memory.buffer)
