"""`python -m cluewise` and the command `cluewise`: the terminal, if its parts are there."""

from __future__ import annotations

import sys

NEEDED = {"typer", "rich"}


def main() -> None:
    """Run the terminal; without typer and rich, say how to get them and end with status 2."""
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
