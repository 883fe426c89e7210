"""The compiled kernel: one interface, two hosts (wasmtime here, the browser on the page)."""

from cluewise.kernel.call import Frame, Kernel, kernel

__all__ = ["Frame", "Kernel", "kernel"]
