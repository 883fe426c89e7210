"""Install this package with one of its extras into .venv: `python3 wasm_build/install.py build`.

uv does it where it is on the path or can be installed from the package index, an order of magnitude
faster than pip; otherwise pip does. Runs on the machine's own Python, before anything is installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
UV = ROOT / ".cache" / "uv"
PYTHON = str(VENV / "bin" / "python")
PIP = (PYTHON, "-m", "pip")
INSTALL = ("--quiet", "--disable-pip-version-check", "install")


def find_uv() -> str | None:
    """The path of uv, installed into .cache if the machine has none; None if that fails.

    The machine's pip installs it: giving .venv its own takes six seconds, and is the second try.
    """
    for pip in (None, (sys.executable, "-m", "pip"), PIP):
        if pip is PIP:
            subprocess.run([PYTHON, "-m", "ensurepip"], capture_output=True, check=True)
        if pip:
            subprocess.run([*pip, *INSTALL, "--target", str(UV), "uv"], capture_output=True)
        if found := shutil.which("uv") or shutil.which("uv", path=str(UV / "bin")):
            return found
    return None


def main() -> None:
    """Make .venv if it is missing, and install the extra named on the command line."""
    extra = sys.argv[1]
    if not Path(PYTHON).exists():
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(VENV)], check=True)
    uv = find_uv()
    installer = [uv, "pip", "install", "--quiet", "--python", PYTHON] if uv else [*PIP, *INSTALL]
    done = subprocess.run([*installer, "--editable", f"{ROOT}[{extra}]"])
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
