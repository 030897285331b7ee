"""How the pages look: in the colours of the chat page, and as dark as somebody chose there or their system is."""

from functools import cache
from html import escape
from pathlib import Path

from starlette.responses import HTMLResponse

from local_guild.page.app import FOLDER
from web.words import Speech

_TOKENS = FOLDER / "styles" / "tokens.css"
_PANEL = Path(__file__).parent / "assets" / "panel.css"
# Before anything is drawn, so that nothing flashes. The chat page keeps under this key what was chosen there.
_THEME = """
<script>(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const show = () => {
    let chosen = "system";
    try { chosen = JSON.parse(localStorage.getItem("local-guild:theme")) || chosen; } catch {}
    const dark = chosen === "system" ? system.matches : chosen === "dark";
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    globalThis.Quasar?.Dark.set(dark);
  };
  system.addEventListener("change", show);
  addEventListener("load", show);
  show();
})()</script>
"""
_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Innkeeper</title>
{head}
<body class="plain"><main class="door">
<h1>{title}</h1>
{body}
</main></body>
</html>
"""


@cache
def head() -> str:
    """Styles and the choice of colours, for the head of a page."""
    return f"<style>{_TOKENS.read_text('utf-8')}{_PANEL.read_text('utf-8')}</style>{_THEME}"


def plain_page(speech: Speech, title: str, body: str, status: int = 200) -> HTMLResponse:
    """A page without NiceGUI, for whoever is not signed in. `body` is HTML."""
    body = body if body.startswith("<p>") else f"<p>{body}</p>"
    page = _PAGE.format(language=speech.language, title=escape(title), head=head(), body=body)
    return HTMLResponse(page, status)
