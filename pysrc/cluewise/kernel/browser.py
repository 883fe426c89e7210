"""The kernel beside Pyodide: the worker's JavaScript holds the instance, we hold two proxies.

The worker registers a module `cluewise_kernel` with `exports` and `view`, a Uint8Array over the
whole memory. The memory never grows, so the view never detaches.
"""

from __future__ import annotations

from typing import Any

import cluewise_kernel  # type: ignore[import-not-found]  # registered by the worker at boot

from cluewise.errors import HostFailure


class BrowserHost:
    """kernel.wasm as the page's worker instantiated it."""

    def __init__(self) -> None:
        self._exports: Any = cluewise_kernel.exports
        self._view: Any = cluewise_kernel.view
        self._functions: dict[str, Any] = {}
        self.size = int(self._view.length)

    def call(self, name: str, arguments: tuple[float, ...]) -> int:
        """The function's 32-bit result."""
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = getattr(self._exports, name)
        return int(function(*arguments))

    def write(self, at: int, data: memoryview) -> None:
        """Copy bytes into the memory."""
        self._view.subarray(at, at + data.nbytes).assign(data)

    def read_into(self, at: int, out: memoryview) -> None:
        """Copy bytes out of the memory."""
        self._view.subarray(at, at + out.nbytes).assign_to(out)

    def fill(self, at: int, length: int) -> None:
        """Set bytes to zero."""
        self._view.fill(0, at, at + length)


def fetched(name: str) -> bytes:
    """A file of the site, fetched while the worker waits. Raises `HostFailure` if it cannot be."""
    from js import XMLHttpRequest, location  # type: ignore[import-not-found]  # the worker's own

    request = XMLHttpRequest.new()
    # The worker's script lies in engine/, the site's files beside that folder.
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
