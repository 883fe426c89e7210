"""The kernel with the functions that only tests call exported too (EXPORT_FOR_TESTS).

`kernel_for_tests().host.call("code_image", (rules, words, n, out))` calls one of them, without the
checks of buffers that `Kernel.call` makes. The module is kept in .cache/ until the C changes.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import re
from functools import cache

from cluewise.kernel.call import Kernel
from cluewise.kernel.native import WasmtimeHost
from wasm_build.codegen import kernel

CACHE = kernel.HERE.parent / ".cache"


@cache
def kernel_for_tests() -> Kernel:
    """Return the kernel of this process with all exports."""
    files = sorted(kernel.SOURCES.rglob("*.[ch]"))
    sources = [file.read_bytes() for file in files]
    exports = re.findall(
        r"^EXPORT_FOR_TESTS\(i32, (\w+)\)", b"\n".join(sources).decode(), re.MULTILINE
    )
    name = hashlib.sha256(b"\0".join(sources)).hexdigest()[:16]
    kept = CACHE / f"kernel-for-tests-{name}.wasm"
    if not kept.exists():
        CACHE.mkdir(exist_ok=True)
        fresh = kept.with_suffix(f".{os.getpid()}")  # processes may build it at the same time
        kernel.build(fresh, exports)
        fresh.replace(kept)
    atexit.register(kernel_for_tests.cache_clear)  # as call.py does for its kernel
    return Kernel(WasmtimeHost(direct=False, code=kept.read_bytes()))
