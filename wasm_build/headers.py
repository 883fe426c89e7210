"""What a web server should say with every file, in the words of the usual static hosts.

The page plays without any of it. With it, the browser is bound to the page's policy in every
worker as well, takes no file for something else, and asks again before it uses an old copy.

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
TYPES = {
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".whl": "application/octet-stream",
}


def host_files() -> dict[str, bytes]:
    """Those files by name; hosts read them, and none of them is part of the page."""
    texts = {
        "_headers": "/*\n" + _lines("  {}: {}"),
        ".htaccess": _apache(),
        "vercel.json": _json({"headers": [{"source": "/(.*)", "headers": _pairs()}]}),
        "staticwebapp.config.json": _json({"globalHeaders": HEADERS, "mimeTypes": TYPES}),
        "nginx-headers.conf": _nginx(),
        "Caddyfile": _caddy(),
        ".nojekyll": "",
    }
    return {name: text.encode() for name, text in texts.items()}


def _lines(form: str) -> str:
    return "".join(form.format(name, value) + "\n" for name, value in HEADERS.items())


def _pairs() -> list[dict[str, str]]:
    return [{"key": name, "value": value} for name, value in HEADERS.items()]


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def _apache() -> str:
    types = "".join(f"AddType {kind} {suffix}\n" for suffix, kind in TYPES.items())
    sent = _lines('  Header always set {} "{}"')
    return f"{types}<IfModule mod_headers.c>\n{sent}</IfModule>\n"


def _nginx() -> str:
    """No types: nginx would take them in place of its own, which know .js and .wasm."""
    return "# In the server block: include /path/to/nginx-headers.conf;\n" + _lines(
        'add_header {} "{}" always;'
    )


def _caddy() -> str:
    return ":8080\nroot * .\nfile_server\nheader {\n" + _lines('  {} "{}"') + "}\n"
