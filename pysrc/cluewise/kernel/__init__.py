"""The compiled kernel: one interface, two hosts (wasmtime, the browser's engine under Pyodide)."""

from cluewise.kernel.call import Frame, Kernel, kernel

__all__ = ["Frame", "Kernel", "kernel"]
