"""What the managers of a server decide, all on one page: made from the one definition of settings."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement

from memory.access.values import Door
from memory.core.log_values import Removal
from memory.language.detect import Language
from memory.language.time_zones import COMMON
from memory.policy.setting_fields import (
    DIGEST_CHANNELS,
    DIGEST_DAYS,
    DIGEST_LANGUAGE,
    FIELDS,
    GROUPS,
    SPEAKS_IN,
    SUMS_UP,
    ZONE,
    FieldKind,
    NotASetting,
    SettingField,
    SettingValue,
    changed,
    read,
)
from memory.policy.settings import GuildSettings, SettingsChange
from web.bounds import whole
from web.panel.elements import heading
from web.panel.shell import Visit, asking
from web.words import Panel

TITLES = {
    "server": Panel.SERVER_SETTINGS,
    "log": Panel.LOG_SETTINGS,
    "facts": Panel.FACT_SETTINGS,
    "answers": Panel.ANSWER_SETTINGS,
    "summaries": Panel.SUMMARY_SETTINGS,
    "digest": Panel.DIGEST_SETTINGS,
}
# Where a command says how something is typed, or what it does, a page says what it is.
LABELS = {
    SUMS_UP.path: Panel.SUMS_UP,
    DIGEST_DAYS.path: Panel.DIGEST_DAYS,
    DIGEST_CHANNELS.path: Panel.DIGEST_CHANNELS,
    DIGEST_LANGUAGE.path: Panel.DIGEST_LANGUAGE,
}
LANGUAGES = {
    Language.EN: "English",
    Language.DE: "Deutsch",
    Language.FR: "Français",
    Language.ES: "Español",
    Language.RU: "Русский",
}
HIDDEN = "…"
"""A channel that is chosen, and that whoever looks cannot read."""


async def body(visit: Visit) -> None:
    await _SettingsPage(visit).show()


class _SettingsPage:
    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._labels = {path: self._label(one) for path, one in FIELDS.items()}
        self._outcome = ui.column().classes("full-width").props('role="status"').style("gap: 0.2rem")
        self._form = ui.column().classes("full-width q-gutter-y-md")
        self._shown: dict[str, SettingValue] = {}
        self._inputs: dict[str, ValueElement[Any]] = {}

    async def show(self) -> None:
        visit, door = self._visit, self._visit.door
        self._shown = read(await visit.memory.privacy.settings(door.guild_id))
        names = self._names(door)
        self._form.clear()
        with self._form:
            for group, fields in GROUPS.items():
                with ui.card().classes("full-width"):
                    heading(visit.say(TITLES[group]))
                    for one in fields:
                        self._row(one, names)
            ui.button(visit.say(Panel.SAVE), on_click=visit.event(self._save))

    def _row(self, one: SettingField, names: dict[FieldKind, dict[str, str]]) -> None:
        label = self._labels[one.path]
        with ui.row().classes("full-width items-center q-py-xs").style("column-gap: 1.5rem"):
            ui.label(label).style("flex: 1 1 18rem; min-width: 0")
            with ui.element("div").style("flex: 1 1 16rem; min-width: 0"):
                made = self._input(one, names.get(one.kind, {})).classes("full-width")
        # Words of ours, in which nothing could end the attribute.
        made.props(f'aria-label="{label.replace(chr(34), chr(39))}" dense')
        self._inputs[one.path] = made

    def _input(self, one: SettingField, names: dict[str, str]) -> ValueElement[Any]:
        visit, value = self._visit, self._shown[one.path]
        match one.kind:
            case FieldKind.SWITCH:
                return ui.switch(value=value is True)
            case FieldKind.NUMBER:
                number = ui.number(value=float(str(value or 0)), min=one.least, max=one.most, step=1, precision=0)
                return number.props(f'outlined hint="{one.least} – {one.most}"')
            case FieldKind.CHOICE:
                said = {key: visit.bot("slash", words) if words else "" for key, words in one.choices.items()}
                options = {str(key): words or LANGUAGES[Language(key)] for key, words in said.items()}
                return ui.select(options, value=value).props("outlined")
            case FieldKind.TEXT:
                return ui.textarea(value=str(value)).props(f"outlined autogrow counter maxlength={one.most}")
            case FieldKind.ZONE:
                return ui.input(value=str(value), autocomplete=list(COMMON)).props("outlined")
            case FieldKind.DAYS:
                days = dict(enumerate(visit.bot("remind", "weekdays").split("/")))
                return ui.select(days, value=value, multiple=True).props("use-chips outlined")
            case FieldKind.CHANNEL | FieldKind.ROLE:
                nothing = "@everyone" if one.kind is FieldKind.ROLE else visit.bot("notice", "none")
                chosen = "" if value in (None, str(visit.door.guild_id)) else str(value)
                known = {chosen: names.get(chosen, HIDDEN), "": nothing} | self._offered(one, names)
                return ui.select(known, value=chosen, with_input=True).props("outlined")
        several = [each for each in value if each in names] if isinstance(value, list) else []
        known = {str(each): names[str(each)] for each in several} | self._offered(one, names)
        return ui.select(known, value=several, multiple=True, with_input=True).props("use-chips outlined")

    def _offered(self, one: SettingField, names: dict[str, str]) -> dict[str, str]:
        """A picker with every thread of a server would be of no use."""
        if one.kind in (FieldKind.ROLE, FieldKind.ROLES):
            return names
        rooms = self._visit.memory.places.rooms(self._visit.door.reader)
        return {number: name for number, name in names.items() if int(number) in rooms}

    def _wanted(self) -> dict[str, SettingValue]:
        """What is not as it was when the page showed it."""
        wanted: dict[str, SettingValue] = {}
        for path, made in self._inputs.items():
            one, before, value = FIELDS[path], self._shown[path], made.value
            if one.kind is FieldKind.NUMBER:
                value = whole(value) or (None if one.or_none else 0)
            elif one.kind in (FieldKind.CHANNEL, FieldKind.ROLE):
                before = None if before == str(self._visit.door.guild_id) else before
                value = value or None
            elif isinstance(before, list):
                # What they cannot see was not offered to them, and stays.
                offered = set(made.options)  # type: ignore[attr-defined]
                value = before if set(value or ()) == set(before) & offered else value or []
            elif isinstance(before, str):
                value = (value or "").strip()
            if value != before:
                wanted[path] = value
        return wanted

    async def _save(self, door: Door, _: object) -> None:
        visit, wanted = self._visit, self._wanted()
        if wanted:
            await self._tried(wanted, door, is_sure=False)
        else:
            ui.notify(visit.bot("notice", "nothing_changed"))

    async def _tried(self, wanted: dict[str, SettingValue], door: Door, *, is_sure: bool = True) -> None:
        try:
            await self._carry_out(wanted, door, is_sure=is_sure)
        except NotASetting as refused:
            self._say(self._objection(refused, wanted), is_wrong=True)

    async def _carry_out(self, wanted: dict[str, SettingValue], door: Door, *, is_sure: bool) -> None:
        """On what holds by now. What removes something is asked first."""
        visit, privacy = self._visit, self._visit.memory.privacy
        change, before = self._change(door, wanted), await privacy.settings(door.guild_id)
        # In a thread: the names of time zones may have to be read.
        after = await asyncio.to_thread(change, before)
        doomed = Removal()
        if after.log != before.log and not is_sure:
            doomed = await privacy.would_remove(door.guild_id, after.log, door.reader.sources)
        if doomed:
            words = visit.bot("notice", "removal_ask", what=self._counted(doomed))
            yes, no = visit.bot("notice", "removal_yes"), visit.bot("notice", "removal_no")
            asking(visit, words, yes, no, partial(self._tried, wanted))
            return
        done = await privacy.change_settings(door.guild_id, change, door.user_id, door.reader.sources)
        await self.show()
        self._say(*self._told(done, door))

    def _change(self, door: Door, wanted: dict[str, SettingValue]) -> Callable[[GuildSettings], GuildSettings]:
        memory = self._visit.memory
        channels, roles = memory.places.names(door.reader), memory.places.role_names(door.guild_id)
        now = memory.clock.now()
        return lambda settings: changed(settings, wanted, now, channels=channels.keys(), roles=roles.keys())

    def _told(self, done: SettingsChange, door: Door) -> list[str]:
        visit, names = self._visit, self._names(door)
        before, after = read(done.before), read(done.after)
        lines = [visit.say(Panel.SAVED)]
        for path, value in after.items():
            if value != before[path]:
                lines.append(f"{self._labels[path]}: {self._valued(FIELDS[path], value, names)}")
        if done.removed:
            lines.append(visit.bot("notice", "log_cleaned", what=self._counted(done.removed)))
        return lines if done.all_removed else [*lines, visit.bot("notice", "cleaned_later")]

    def _valued(self, one: SettingField, value: SettingValue, names: dict[FieldKind, dict[str, str]]) -> str:
        visit = self._visit
        if one.kind is FieldKind.SWITCH:
            return visit.say(Panel.ON if value else Panel.OFF)
        if one.kind is FieldKind.CHOICE:
            words = one.choices[str(value)]
            return visit.bot("slash", words) if words else LANGUAGES[Language(str(value))]
        if one.kind is FieldKind.DAYS:
            days = visit.bot("remind", "weekdays").split("/")
            return ", ".join(days[int(day)] for day in value) if isinstance(value, list) else ""
        ids = value if isinstance(value, list) else [value] if value is not None else []
        known = names.get(one.kind)
        said = [str(each) if known is None else known.get(str(each), HIDDEN) for each in ids]
        return ", ".join(said) or visit.bot("notice", "none")

    def _objection(self, refused: NotASetting, wanted: dict[str, SettingValue]) -> str:
        visit = self._visit
        if refused.path == ZONE.path:
            typed = visit.bot("notice", "zone_unknown", typed=str(wanted[ZONE.path])[:60])
            return f"{typed} {visit.bot('notice', 'zone_hint')}"
        return visit.say(Panel.CANNOT_BE, setting=self._labels.get(refused.path, refused.path))

    def _say(self, *lines: str, is_wrong: bool = False) -> None:
        self._outcome.clear()
        with self._outcome:
            for line in lines:
                ui.label(line).classes("said" + (" text-negative" if is_wrong else ""))
        # It stands above the form, whose button is below.
        script = f"getHtmlElement({self._outcome.id:d}).scrollIntoView({{block: 'center'}})"
        self._outcome.client.run_javascript(script)

    def _counted(self, removal: Removal) -> str:
        kinds = {"so_many_messages": removal.messages, "so_many_facts": removal.facts}
        said = [self._visit.bot("notice", key, count=count) for key, count in kinds.items() if count]
        return ", ".join([*said, *([self._visit.bot("notice", "removal_elsewhere")] if removal.elsewhere else [])])

    def _label(self, one: SettingField) -> str:
        if one.path in LABELS:
            return self._visit.say(LABELS[one.path])
        # Where none are chosen it is all of them, which the command need not say.
        return self._visit.bot("notice", "speak_words") if one is SPEAKS_IN else self._visit.bot("slash", one.words)

    def _names(self, door: Door) -> dict[FieldKind, dict[str, str]]:
        places = self._visit.memory.places
        channels = {str(one): f"#{name}" for one, name in sorted(places.names(door.reader).items(), key=_by_name)}
        roles = {str(one): f"@{name}" for one, name in sorted(places.role_names(door.guild_id).items(), key=_by_name)}
        roles.pop(str(door.guild_id), None)
        return {
            FieldKind.CHANNEL: channels,
            FieldKind.CHANNELS: channels,
            FieldKind.ROLE: roles,
            FieldKind.ROLES: roles,
        }


def _by_name(named: tuple[int, str]) -> str:
    return named[1].casefold()
