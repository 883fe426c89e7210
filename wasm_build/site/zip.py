"""dist/ as one zip to upload: `python -m wasm_build.site.zip dist site.zip`.

The same folder gives the same bytes: names in order, all dated 2020-02-02.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path


def zip_folder(folder: Path, target: Path) -> None:
    """Write every file of the folder, by relative name."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix(), (2020, 2, 2, 0, 0, 0))
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())


if __name__ == "__main__":
    zip_folder(Path(sys.argv[1]), Path(sys.argv[2]))
    print(f"{sys.argv[2]}: {Path(sys.argv[2]).stat().st_size:,} bytes")
