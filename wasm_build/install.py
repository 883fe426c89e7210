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
PYTHON = VENV / "bin" / "python"
PIP = (str(PYTHON), "-m", "pip", "--quiet", "--disable-pip-version-check", "install")


def find_uv() -> str | None:
    """The path of uv, installed into .venv if the machine has none; None if that fails."""
    found = shutil.which("uv") or shutil.which("uv", path=str(VENV / "bin"))
    if found or subprocess.run([*PIP, "uv"], capture_output=True).returncode:
        return found
    return shutil.which("uv", path=str(VENV / "bin"))


def main() -> None:
    """Make .venv if it is missing, and install the extra named on the command line."""
    extra = sys.argv[1]
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    uv = find_uv()
    installer = [uv, "pip", "install", "--quiet", "--python", str(PYTHON)] if uv else [*PIP]
    done = subprocess.run([*installer, "--editable", f"{ROOT}[{extra}]"])
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
