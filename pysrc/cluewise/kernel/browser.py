"""The kernel beside Pyodide: the worker's JavaScript holds the instance, we hold two proxies.

The worker registers a module `cluewise_kernel` with `exports` and `view`, a Uint8Array over the
whole memory. The memory never grows, so the view never detaches.
"""

from __future__ import annotations

from typing import Any

import cluewise_kernel  # type: ignore[import-not-found]  # registered by the worker at boot


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
