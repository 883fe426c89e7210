"""Build kernel.wasm from the C files in wasm_build/kernel: `python -m wasm_build.codegen.kernel`.

Two modules are generated from the same files: cluewise/kernel/functions.py with the arguments of
every function and the sizes of its buffers, and layouts.py with sizes and fields of structs and
limits. All three files are committed, so that only changes of the C need the compiler. They are
byte-identical on every run with the pinned ziglang; `--check` compares instead of writing.
"""

from __future__ import annotations

import argparse
import atexit
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from wasm_build.codegen import kernel_headers

if TYPE_CHECKING:  # the kernel may be missing before the build
    from cluewise.kernel.call import Kernel

HERE = Path(__file__).resolve().parents[1]
SOURCES = HERE / "kernel"
PACKAGE = HERE.parent / "pysrc" / "cluewise" / "kernel"
TARGET = PACKAGE / "kernel.wasm"
CACHE = HERE.parent / ".cache"

STACK = 1 << 20  # bytes
MEMORY = 72 << 20  # bytes, constant: growing the memory would detach every view of it
FLAGS = [
    "-target", "wasm32-freestanding",
    "-mcpu=generic+simd128+bulk_memory+sign_ext+nontrapping_fptoint",
    "-std=c11", "-O3", "-ffreestanding", "-nostdlib", "-fno-stack-protector", "-g0",
    "-fno-sanitize=all",
    "-Wall", "-Wextra", "-Werror", "-Wshadow", "-Wno-unused-parameter",
    "-ffile-prefix-map=" + str(SOURCES) + "=.",
    "-Wl,--no-entry", "-Wl,--strip-all", f"-Wl,-z,stack-size={STACK}",
    f"-Wl,--initial-memory={MEMORY}", f"-Wl,--max-memory={MEMORY}",
]  # fmt: skip


def build(target: Path, exports: Sequence[str] = ()) -> None:
    """Compile every C file under kernel/ into one module at `target`, with further exports."""
    files = sorted(str(p.relative_to(SOURCES)) for p in SOURCES.rglob("*.c"))
    flags = [*FLAGS, *(f"-Wl,--export={name}" for name in exports), "-I."]
    command = [sys.executable, "-m", "ziglang", "cc", *flags, "-o", str(target), *files]
    subprocess.run(command, cwd=SOURCES, check=True)


@cache
def kernel_for_tests() -> Kernel:
    """Return a kernel that also exports the functions marked EXPORT_FOR_TESTS.

    `kernel_for_tests().host.call("code_image", (rules, words, n, out))` calls one of them, without
    the checks of buffers that `Kernel.call` makes. The module is cached until the C changes.
    """
    from cluewise.kernel.call import Kernel
    from cluewise.kernel.native import WasmtimeHost

    files = sorted(SOURCES.rglob("*.[ch]"))
    sources = [file.read_bytes() for file in files]
    exports = re.findall(
        r"^EXPORT_FOR_TESTS\(i32, (\w+)\)", b"\n".join(sources).decode(), re.MULTILINE
    )
    name = hashlib.sha256(b"\0".join(sources)).hexdigest()[:16]
    module = CACHE / f"kernel-for-tests-{name}.wasm"
    if not module.exists():
        CACHE.mkdir(exist_ok=True)
        fresh = module.with_suffix(f".{os.getpid()}")  # processes may build it at the same time
        build(fresh, exports)
        fresh.replace(module)
    atexit.register(kernel_for_tests.cache_clear)  # as call.py does for its kernel
    return Kernel(WasmtimeHost(direct=False, code=module.read_bytes()))


def tables() -> dict[Path, str]:
    """Return the texts of the generated modules by path."""
    facts = kernel_headers.read_headers(SOURCES)
    return {
        PACKAGE / "functions.py": kernel_headers.functions_text(SOURCES, facts),
        PACKAGE / "layouts.py": kernel_headers.layouts_text(SOURCES, facts),
    }


def main() -> int:
    """Write the kernel and its modules, or with --check compare them with the committed ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the committed file")
    if not parser.parse_args().check:
        build(TARGET)
        for path, text in tables().items():
            path.write_text(text)
        print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "kernel.wasm"
        build(fresh)
        same = fresh.read_bytes() == TARGET.read_bytes()
        if same and all(path.read_text() == text for path, text in tables().items()):
            return 0
    print(f"{TARGET} differs from its sources: run python -m wasm_build.codegen.kernel")
    return 1


if __name__ == "__main__":
    sys.exit(main())
