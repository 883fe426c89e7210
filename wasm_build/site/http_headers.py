"""What a web server should say with every file, in the words of the usual static hosts.

The page plays without any of it. With it, the browser is bound to the page's policy in every
worker as well, takes no file for something else, and asks again before it uses an old copy.
The wheel alone may be fetched by pages of other sites: a notebook in a browser is one.

    _headers                  Netlify, Cloudflare Pages, and hosts that follow them
    .htaccess                 Apache
    vercel.json               Vercel
    staticwebapp.config.json  Azure Static Web Apps
    nginx-headers.conf        nginx: include it in the `server` block
    Caddyfile                 Caddy: `caddy run` in the folder
    .nojekyll                 GitHub Pages, which sends no headers: serve every file as it stands
"""

from __future__ import annotations

import json

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; "
    "connect-src 'self'; style-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
# micropip fetches like any script: without this the browser keeps the wheel from the notebook.
WHEEL = {"Access-Control-Allow-Origin": "*"}
TYPES = {
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".whl": "application/octet-stream",
}


def host_files() -> dict[str, bytes]:
    """Those files by name; hosts read them, and none of them is part of the page."""
    texts = {
        "_headers": "/*\n" + _lines("  {}: {}") + "/wheel/*\n" + _lines("  {}: {}", WHEEL),
        ".htaccess": _apache(),
        "vercel.json": _json({"headers": [_vercel("/(.*)"), _vercel("/wheel/(.*)", WHEEL)]}),
        "staticwebapp.config.json": _json(
            {
                "globalHeaders": HEADERS,
                "routes": [{"route": "/wheel/*", "headers": WHEEL}],
                "mimeTypes": TYPES,
            }
        ),
        "nginx-headers.conf": _nginx(),
        "Caddyfile": _caddy(),
        ".nojekyll": "",
    }
    return {name: text.encode() for name, text in texts.items()}


def _lines(form: str, said: dict[str, str] = HEADERS) -> str:
    return "".join(form.format(name, value) + "\n" for name, value in said.items())


def _vercel(source: str, said: dict[str, str] = HEADERS) -> dict[str, object]:
    pairs = [{"key": name, "value": value} for name, value in said.items()]
    return {"source": source, "headers": pairs}


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def _apache() -> str:
    types = "".join(f"AddType {kind} {suffix}\n" for suffix, kind in TYPES.items())
    line = '  Header always set {} "{}"'
    wheel = f'  <FilesMatch "\\.whl$">\n{_lines("  " + line, WHEEL)}  </FilesMatch>\n'
    return f"{types}<IfModule mod_headers.c>\n{_lines(line)}{wheel}</IfModule>\n"


def _nginx() -> str:
    """No types: nginx would take them in place of its own, which know .js and .wasm.

    No `location` either: headers said in one take the place of all others. A header without a
    value is not sent.
    """
    (name, value), *others = WHEEL.items()
    assert not others
    return (
        "# In the server block: include /path/to/nginx-headers.conf;\n"
        + _lines('add_header {} "{}" always;')
        + 'set $cluewise_wheel "";\n'
        + f'if ($uri ~ "\\.whl$") {{\n  set $cluewise_wheel "{value}";\n}}\n'
        + f"add_header {name} $cluewise_wheel always;\n"
    )


def _caddy() -> str:
    every, wheel = _lines('  {} "{}"'), _lines('header /wheel/* {} "{}"', WHEEL)
    return f":8080\nroot * .\nfile_server\nheader {{\n{every}}}\n{wheel}"
