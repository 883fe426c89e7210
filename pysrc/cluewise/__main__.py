"""`python -m cluewise` and the command `cluewise`: the terminal, which needs typer and rich."""

from __future__ import annotations

import sys

NEEDED = {"typer", "rich"}


def main() -> None:
    """Run the terminal; without typer and rich, print how to install them, exit status 2."""
    try:
        from cluewise import cli
    except ModuleNotFoundError as missing:
        if missing.name not in NEEDED:
            raise
        print(
            "The terminal needs typer and rich: python -m pip install 'cluewise[terminal]'.",
            file=sys.stderr,
        )
        sys.exit(2)
    cli.main()


if __name__ == "__main__":
    main()
