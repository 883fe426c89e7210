"""The same C, built for this machine under sanitizers, through the same tests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wasm_build.codegen import native_kernel

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
TESTS = sorted(
    str(path.relative_to(ROOT))
    for folder in ("property", "oracle")
    for path in (ROOT / "tests" / folder).glob("test_*.py")
)
OUTSIDE = """
import reference.native_kernel
from cluewise.kernel import kernel
with kernel().frame() as frame:
    at = frame.reserve(64, zero=True)
    print("inside", kernel().host.call("code_present", (at, 8)), flush=True)
    kernel().host.call("code_present", (at, 9))
"""


def runtime(cc: str) -> list[str]:
    """The sanitizers' own libraries, which a process must load first; none if there are none."""
    names = ("libasan.so", "libubsan.so")
    asked = [
        subprocess.run([cc, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
        for name in names
    ]
    found = [one.stdout.strip() for one in asked]
    return found if all(Path(one).is_absolute() for one in found) else []


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a process needs in which `kernel()` is the sanitized library."""
    cc = native_kernel.compiler()
    if cc is None or not (libraries := runtime(cc)):
        pytest.skip("this machine has no C compiler with an address sanitizer")
    folder = tmp_path_factory.mktemp("native")
    native_kernel.build(folder, cc)
    return {
        **os.environ,
        "CLUEWISE_NATIVE": str(folder),
        "PYTHONPATH": str(ROOT / "tests"),
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


def test_access_beyond_a_buffer_is_detected(environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OUTSIDE],
        env=environment,
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.stdout.startswith("inside 0")
    assert done.returncode != 0
    assert "use-after-poison" in done.stderr


@pytest.mark.parametrize("path", TESTS)
def test_kernel_tests_pass_under_sanitizers(environment: dict[str, str], path: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    command += ["-p", "reference.native_kernel"]
    done = subprocess.run(
        [*command, "-m", "not long", path],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=3000, check=False,
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert "runtime error" not in said, said[-4000:]
    assert done.returncode in {0, 5}, said[-4000:]  # 5: all of its tests are long
