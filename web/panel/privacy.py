"""Shows what is held on oneself, what one decided about it, and who is signed in as oneself; to managers also what was
done to that of others."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import ExitStack
from functools import partial

from fastapi import APIRouter, Request
from nicegui import ui
from starlette.responses import Response, StreamingResponse

from memory.access import LONGEST_NAME, LONGEST_TOKEN_DAYS, MOST_TOKENS, Door, Key, Refusal
from memory.audit import AuditEntry, AuditPage
from memory.core.log_values import Consent, ErasureReport, Kind
from memory.core.values import last_id_of
from memory.db.errors import StoreError
from memory.manager import MemoryManager
from memory.overview import Erased
from memory.policy.settings import LogSettings, retention_words
from memory.privacy.export_queries import (
    ExportNotWritten,
    ExportUnderWay,
    HeldOnMember,
    Signposts,
    Stock,
)
from web.guard import Doors, NotOpenYet, problem, whole
from web.panel.shell import Visit, asking, capitalised, heading
from web.words import Panel, Speech, speech_for

EXPORT = "/panel/export"
ENTRIES = 20
PIECE = 65_536
_TITLE = "subheading"
_MINE = "messages facts_told facts_about days contexts channel_summaries receipts verdicts changes vetoes"
_MINE += " catch_ups reminders"
# What is a member's own, wherever it stood: to count the rest would count what rooms hold that they cannot read.
_GONE = {
    Kind.MESSAGES: "gone_your_messages",
    Kind.ADDRESSED: "gone_addressed",
    Kind.FACTS_TOLD: "gone_your_facts",
    Kind.VETOES: "gone_vetoes",
    Kind.REMINDERS: "held_reminders",
    Kind.NAMES: "gone_names",
}


async def body(visit: Visit) -> None:
    page = _PrivacyPage(visit)
    await page.show_mine(visit.door)
    if visit.door.is_manager:
        await page.show_server(visit.door)


class _PrivacyPage:
    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._said = ui.column().classes("full-width").props('role="status"').style("gap: 0.2rem")
        self._mine = ui.card().classes("full-width")
        self._server = ui.card().classes("full-width")
        self._server.set_visibility(visit.door.is_manager)
        self._skip = 0

    async def show_mine(self, door: Door) -> None:
        visit = self._visit
        await visit.memory.log.settled(door.guild_id)
        mine = await visit.memory.exports.held_on(door.reader)
        log = (await visit.memory.privacy.settings(door.guild_id)).log
        names = await visit.memory.people.called(door.guild_id, {one.actor_id for one in mine.looks.entries})
        self._mine.clear()
        with self._mine:
            self._title("held_title")
            self._list(self._held(mine))
            ui.label(visit.bot("notice", "held_elsewhere")).classes("text-caption")
            self._title("decided_title")
            self._list(self._decided(mine, log))
            self._title("looks_title")
            self._entries(mine.looks, names, with_subject=False)
            ui.separator()
            with ui.row():
                ui.button(visit.say(Panel.EXPORT)).props(f'outline href="{EXPORT}"')
                is_out = not mine.is_stored if mine.is_stored is not None else log.consent is Consent.OPT_IN
                if is_out:
                    ui.button(visit.say(Panel.OPT_IN), on_click=visit.event(self._opt_in)).props("outline")
                else:
                    opting_out = visit.event(partial(self._ask, "opt_out", self._opted_out))
                    ui.button(visit.say(Panel.OPT_OUT), on_click=opting_out).props("outline")
                erasing = visit.event(partial(self._ask, "erase", self._erased))
                ui.button(visit.say(Panel.ERASE), on_click=erasing, color="negative").props("outline")

    async def show_server(self, door: Door) -> None:
        visit = self._visit
        out = await visit.memory.overview.opted_out(door.guild_id)
        erasures = await visit.memory.overview.erasures(door.guild_id, ENTRIES)
        log = (await visit.memory.privacy.settings(door.guild_id)).log
        page = await visit.memory.audit_log.of_guild(door.reader, skip=self._skip, most=ENTRIES)
        people = {one for entry in page.entries for one in (entry.actor_id, entry.subject_id) if one is not None}
        names = await visit.memory.people.called(door.guild_id, people)
        self._server.clear()
        with self._server:
            heading(visit.say(Panel.THIS_SERVER))
            ui.label(visit.say(Panel.OPT_OUTS, count=out))
            self._title("kept_title")
            kept = retention_words(log, visit.speech.language)
            self._list(visit.bot("notice", "kept_each", **kept).strip().splitlines())
            heading(visit.say(Panel.ERASURES), _TITLE)
            self._list([self._erasure(one, door) for one in erasures] or [visit.say(Panel.NO_ERASURES)])
            self._title("audit_title")
            self._entries(page, names, with_subject=True)
            with ui.row().classes("items-center"):
                for icon, words, step in (
                    ("chevron_left", Panel.NEWER, -ENTRIES),
                    ("chevron_right", Panel.OLDER, ENTRIES),
                ):
                    turn = ui.button(visit.say(words), icon=icon, on_click=visit.event(partial(self._turn, step)))
                    turn.props("flat dense")
                    turn.set_enabled(0 <= self._skip + step < max(page.in_all, 1))

    async def _turn(self, step: int, door: Door, _: object) -> None:
        if door.is_manager:
            self._skip = max(self._skip + step, 0)
            await self.show_server(door)
        else:
            self._server.set_visibility(False)

    # What one decides

    async def _ask(self, what: str, act: Callable[[Door], Awaitable[None]], _door: Door, _: object) -> None:
        visit = self._visit
        words, yes = visit.bot("notice", f"{what}_ask").strip(), visit.bot("notice", f"{what}_yes")
        asking(visit, words, yes, visit.bot("notice", "erase_no"), act)

    async def _opted_out(self, door: Door) -> None:
        gone = await self._visit.memory.privacy.opt_out(door.guild_id, door.user_id)
        self._receipt("opted_out", gone, _GONE | {Kind.FACTS_TOLD: "gone_facts_of_yourself"})

    async def _erased(self, door: Door) -> None:
        through = last_id_of(self._visit.memory.clock.now())
        gone = await self._visit.memory.privacy.erase_member(door.guild_id, door.user_id, through)
        self._receipt("erased", gone, _GONE)

    async def _opt_in(self, door: Door, _: object) -> None:
        await self._visit.memory.privacy.opt_in(door.guild_id, door.user_id)
        await self.show_mine(door)
        self._tell(self._visit.bot("notice", "opted_in"))

    def _receipt(self, words: str, gone: ErasureReport, labels: Mapping[Kind, str]) -> None:
        """Show the receipt, and that they are signed out: a session is held on them, and went as well."""
        visit = self._visit
        counts = [f"{visit.bot('notice', label)}: {gone[kind]:,}" for kind, label in labels.items() if gone[kind]]
        self._mine.set_visibility(False)
        self._server.set_visibility(False)
        signed_out = f"{visit.say(Panel.SIGNED_OUT)} {visit.say(Panel.HOW_TO_SIGN_IN)}"
        self._tell(visit.bot("notice", words), *counts, visit.bot("notice", "gone_of_others"), signed_out)

    def _tell(self, *lines: str) -> None:
        self._said.clear()
        with self._said:
            for line in lines:
                ui.label(line).classes("said")

    # How it is said

    def _title(self, words: str) -> None:
        heading(self._visit.bot("notice", words), _TITLE)

    def _list(self, lines: Iterable[str]) -> None:
        with ui.column().classes("said-lines"):
            for line in lines:
                ui.label(capitalised(line)).classes("said")

    def _held(self, mine: HeldOnMember) -> list[str]:
        visit, lines = self._visit, []
        kinds = {Stock[name.upper()]: f"held_{name}" for name in _MINE.split()} | {Stock.NAME_KEYS: "held_names"}
        for kind, label in kinds.items():
            amount = mine.held.of(kind)
            if not amount.count:
                continue
            since = "" if amount.first is None else visit.bot("notice", "held_since", when=visit.day(amount.first))
            lines.append(f"{visit.bot('notice', label)}: {amount.count:,}{f' ({since})' if since else ''}")
        return lines or [visit.bot("notice", "held_nothing")]

    def _decided(self, mine: HeldOnMember, log: LogSettings) -> list[str]:
        visit = self._visit
        if mine.is_stored is None or mine.decided_at is None:
            everyone = log.consent is Consent.OPT_OUT
            lines = [visit.bot("notice", "decided_stored" if everyone else "decided_not_stored")]
        else:
            lines = [
                visit.bot("notice", "decided_in" if mine.is_stored else "decided_out", when=visit.day(mine.decided_at))
            ]
        erased = (
            [] if mine.erased_at is None else [visit.bot("notice", "decided_erased", when=visit.day(mine.erased_at))]
        )
        return lines + erased

    def _entries(self, page: AuditPage, names: Mapping[int, str], *, with_subject: bool) -> None:
        nothing = self._visit.bot("notice", "audit_none" if with_subject else "looks_none")
        lines = [self._entry(entry, names, with_subject=with_subject) for entry in page.entries]
        self._list(lines or [nothing])

    def _entry(self, entry: AuditEntry, names: Mapping[int, str], *, with_subject: bool) -> str:
        visit = self._visit
        deed = visit.bot("notice", f"deed_{entry.deed.name.lower()}")
        said = f"{visit.moment(entry.at)} · {names.get(entry.actor_id, '…')}: {deed}"
        said += f" ({entry.items:,})" if entry.items > 1 else ""
        if entry.channel_id is not None:
            said += f" · #{visit.memory.places.names(visit.door.reader).get(entry.channel_id, '…')}"
        elif with_subject:
            whose = entry.subject_id
            said += f" → {visit.bot('notice', 'audit_the_server') if whose is None else names.get(whose, '…')}"
        return said

    def _erasure(self, one: Erased, door: Door) -> str:
        """Show an erasure by its day: the minute would tell who it was."""
        visit, when = self._visit, self._visit.speech.day(one.at)
        if one.channel_id is None:
            said = visit.say(Panel.ERASURE_OF_MEMBER, when=when)
        elif one.is_whole_guild:
            said = visit.say(Panel.ERASURE_OF_SERVER, when=when)
        else:
            place = f"#{visit.memory.places.names(door.reader).get(one.channel_id, '…')}"
            said = visit.say(Panel.ERASURE_OF_CHANNEL, when=when, place=place)
        is_hidden = not one.is_whole_guild and one.channel_id is not None and one.channel_id not in door.reader.sources
        if one.messages is None or is_hidden:
            return said
        return f"{said} ({visit.bot('notice', 'so_many_messages', count=one.messages)})"


# One's own data as a file.


def export_route(doors: Doors) -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get(EXPORT)
    async def export(request: Request) -> Response:
        secret, speech = doors.secret_in(request.headers), speech_for(request.headers)
        try:
            memory, door = doors.memory, await doors.of_session(secret)
            if isinstance(door, Refusal):
                return problem(401, speech.say(Panel.HOW_TO_SIGN_IN))
            await memory.log.settled(door.guild_id)
            with ExitStack() as open_files:
                file = open_files.enter_context(memory.exports.file())
                await memory.exports.of_member(door.reader, _signposts(door, memory, speech), file)
                # Collecting may have taken a while, in which a room was closed to them.
                again = await doors.of_session(secret)
                if isinstance(again, Refusal) or not again.reader.covers(door.reader):
                    return problem(409, speech.bot("notice", "reads_changed"))
                files = open_files.pop_all()
        except ExportUnderWay:
            return problem(429, speech.bot("notice", "export_under_way"), {"Retry-After": "30"})
        except ExportNotWritten:
            return problem(507, speech.bot("notice", "export_not_written"))
        except (NotOpenYet, StoreError):
            return problem(503, speech.say(Panel.AWAY))

        async def pieces() -> AsyncIterator[bytes]:
            with files:
                file.seek(0)
                while piece := file.read(PIECE):
                    yield piece

        name = f"innkeeper-{door.user_id}-{memory.clock.now():%Y-%m-%d}.json"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingResponse(pieces(), media_type="application/json", headers=headers)

    return router


def _signposts(door: Door, memory: MemoryManager, speech: Speech) -> Signposts:
    about = ("export_about_me", "export_about_rooms", "export_about_form")

    def link(channel_id: int, message_id: int) -> str:
        return f"https://discord.com/channels/{door.guild_id}/{channel_id}/{message_id}"

    notes = [speech.bot("notice", one, bot="Innkeeper") for one in about]
    return Signposts(door.guild_name, memory.places.names(door.reader), link, notes)


# Who is signed in as oneself: browsers, and tokens for the API.


DAYS = 90


async def access(visit: Visit) -> None:
    await _Access(visit).show()


class _Access:
    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._browsers = ui.column().classes("full-width")
        ui.separator()
        self._tokens = ui.column().classes("full-width")

    async def show(self) -> None:
        visit = self._visit
        access = visit.memory.access
        browsers, tokens = await access.browsers(visit.door), await access.tokens(visit.door)
        self._browsers.clear()
        with self._browsers:
            heading(visit.say(Panel.BROWSERS, count=len(browsers)))
            for key in browsers:
                here = visit.say(Panel.THIS_ONE) if key.digest == visit.door.key.digest else ""
                ui.label(
                    visit.say(Panel.SIGNED_IN, when=visit.moment(key.made_at), used=visit.moment(key.used_at))
                    + f" {here}"
                )
            ui.button(visit.say(Panel.SIGN_OUT_EVERYWHERE), on_click=visit.event(self._leave)).props("outline")
        self._tokens.clear()
        with self._tokens:
            heading(visit.say(Panel.TOKENS))
            ui.label(visit.say(Panel.TOKENS_HELP, most=MOST_TOKENS)).classes("text-caption")
            for key in tokens:
                self._token(key)
            self._form()

    def _token(self, key: Key) -> None:
        visit = self._visit
        scope = visit.say(Panel.MAY_WRITE if key.may_write else Panel.MAY_READ)
        with ui.row().classes("items-center full-width"):
            ui.label(key.name or key.key_id).classes("text-weight-medium")
            dates = visit.say(Panel.TOKEN_DATES, used=visit.moment(key.used_at), ends=visit.moment(key.ends_at))
            ui.label(f"{scope} · {dates}")

            async def revoke(door: Door) -> None:
                await visit.memory.access.revoke(door, key.key_id)
                await self.show()

            ui.button(visit.say(Panel.REVOKE), on_click=visit.event(lambda door, _: revoke(door))).props("flat dense")

    def _form(self) -> None:
        visit = self._visit
        with ui.row().classes("items-end"):
            name = ui.input(visit.say(Panel.TOKEN_NAME)).props(f"maxlength={LONGEST_NAME} dense outlined")
            days = ui.number(visit.say(Panel.TOKEN_DAYS), value=DAYS, min=1, max=LONGEST_TOKEN_DAYS, precision=0)
            days.props("dense outlined").style("width: 8rem")
            writes = ui.checkbox(visit.say(Panel.MAY_WRITE))

            async def make(door: Door, _: object) -> None:
                made = await visit.memory.access.make_token(
                    door, name.value or "", whole(days.value) or DAYS, may_write=writes.value
                )
                await self.show()
                with self._tokens:
                    if made is None:
                        ui.label(visit.say(Panel.TOKENS_ENOUGH)).classes("text-negative")
                    else:
                        ui.label(visit.say(Panel.TOKEN_SHOWN)).classes("text-weight-medium")
                        ui.input(value=made).props("readonly outlined dense").classes("full-width")

            ui.button(visit.say(Panel.MAKE_TOKEN), on_click=visit.event(make))

    async def _leave(self, door: Door, _: object) -> None:
        await self._visit.memory.access.sign_out(door.key, everywhere=True)
        ui.navigate.to("/panel")
