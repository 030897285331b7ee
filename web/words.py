"""Holds what pages say, in the language that a browser asks for, and how they look. The sentences stand in
`memory/language/words`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from enum import StrEnum
from functools import cache
from html import escape
from pathlib import Path

from starlette.responses import HTMLResponse

from local_guild.page import FOLDER
from memory.language.detect import Language
from memory.language.wording import SentenceKey, worded, wording

MOST_LANGUAGES = 10
_MARKS = re.compile(r"^(-# |• )|\*\*|`", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Speech:
    language: Language

    def say(self, key: StrEnum, **values: object) -> str:
        return wording(self.language, key, **values)

    def bot(self, part: str, key: str, **values: object) -> str:
        """Say what the bot says as well, without the marks that only Discord makes something of."""
        return _MARKS.sub("", worded(self.language, part, key, **values))

    def moment(self, at: datetime, zone: tzinfo = UTC) -> str:
        """Write a moment by the clock of a zone, which is named if it is nobody's own."""
        when = at.astimezone(zone)
        return f"{self.day(when)}, {when:%H:%M}" + " UTC" * (zone is UTC)

    def day(self, day: date) -> str:
        """Write a day as people do: 18 Nov 2026."""
        month = self.say(Panel.MONTHS).split("/")[day.month - 1]
        return self.say(Panel.DAY_FORM, day=day.day, month=month, year=day.year)

    def day_of_year(self, day: date) -> str:
        """Write a day briefly, where the year goes without saying."""
        return f"{day.day} {self.say(Panel.MONTHS).split('/')[day.month - 1]}"

    def since(self, at: datetime, zone: tzinfo = UTC) -> str:
        return self.bot("notice", "held_since", when=self.moment(at, zone))


def speech_for(headers: Mapping[str, str]) -> Speech:
    """Choose the first language of the browser that we speak; else English."""
    wanted = headers.get("accept-language", "").split(",")[:MOST_LANGUAGES]
    for tag in wanted:
        code = tag.split(";")[0].strip().split("-")[0].lower()
        if code in set(Language):
            return Speech(Language(code))
    return Speech(Language.EN)


class Panel(SentenceKey):
    """Names the sentences that the panel says and the bot does not."""


# How the pages look: in the colours of the chat page, and as dark as somebody chose there or their system is.


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
    """Write styles and the choice of colours, for the head of a page."""
    return f"<style>{_TOKENS.read_text('utf-8')}{_PANEL.read_text('utf-8')}</style>{_THEME}"


def plain_page(speech: Speech, title: str, body: str, status: int = 200) -> HTMLResponse:
    """Make a page without NiceGUI, for whoever is not signed in. `body` is HTML."""
    body = body if body.startswith("<p>") else f"<p>{body}</p>"
    page = _PAGE.format(language=speech.language, title=escape(title), head=head(), body=body)
    return HTMLResponse(page, status)
