"""Response headers that a web server should send, in the formats of the usual static hosts.

The page works without them. With them, the browser applies the page's policy to workers too, does
not guess types, and revalidates cached copies. Pages of other sites, such as a notebook in a
browser, may fetch the wheel only.

    _headers                  Netlify, Cloudflare Pages, and hosts that follow them
    .htaccess                 Apache
    vercel.json               Vercel
    staticwebapp.config.json  Azure Static Web Apps
    nginx-headers.conf        nginx: include it in the `server` block
    Caddyfile                 Caddy: `caddy run` in the folder
    .nojekyll                 GitHub Pages, which sends no headers: serve all files unprocessed
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
# micropip uses fetch: without this header the browser denies the wheel to a notebook elsewhere.
WHEEL = {"Access-Control-Allow-Origin": "*"}
TYPES = {
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".whl": "application/octet-stream",
}


def host_files() -> dict[str, bytes]:
    """Return the files by name; hosts read them, the page does not."""
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


def _lines(form: str, headers: dict[str, str] = HEADERS) -> str:
    return "".join(form.format(name, value) + "\n" for name, value in headers.items())


def _vercel(source: str, headers: dict[str, str] = HEADERS) -> dict[str, object]:
    pairs = [{"key": name, "value": value} for name, value in headers.items()]
    return {"source": source, "headers": pairs}


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def _apache() -> str:
    types = "".join(f"AddType {kind} {suffix}\n" for suffix, kind in TYPES.items())
    line = '  Header always set {} "{}"'
    wheel = f'  <FilesMatch "\\.whl$">\n{_lines("  " + line, WHEEL)}  </FilesMatch>\n'
    return f"{types}<IfModule mod_headers.c>\n{_lines(line)}{wheel}</IfModule>\n"


def _nginx() -> str:
    """Return nginx's file.

    It has no types, since they would replace nginx's own, which include .js and .wasm; and no
    `location`, since headers in a location replace all others. nginx sends no empty header.
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
