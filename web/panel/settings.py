"""Shows on one page all that the managers of a server decide: drawn from what is declared of settings."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement

from memory.access import Door
from memory.core.log_values import Removal
from memory.language.time_zones import COMMON
from memory.policy.setting_fields import FieldKind, NotASetting, Setting, SettingField, SettingValue, weekday_names
from memory.policy.settings import FIELDS, GROUPS, GuildSettings, SettingsChange, changed, read
from web.guard import whole
from web.panel.shell import Visit, asking, heading
from web.words import Panel

HIDDEN = "…"
"""A channel that is chosen, and that whoever looks cannot read."""
Names = Mapping[FieldKind, Mapping[str, str]]


async def body(visit: Visit) -> None:
    await _SettingsPage(visit).show()


class _SettingsPage:
    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._form = ui.column().classes("full-width")
        with ui.row().classes("full-width save-bar no-wrap"):
            self._outcome = ui.column().classes("col said-lines").props('role="status"')
            ui.button(visit.say(Panel.SAVE), on_click=visit.event(self._save))
        self._shown: dict[str, SettingValue] = {}
        self._inputs: dict[str, ValueElement[Any]] = {}

    async def show(self) -> None:
        visit, door = self._visit, self._visit.door
        self._shown = read(await visit.memory.privacy.settings(door.guild_id))
        names = self._names(door)
        names = {**names, FieldKind.WEBHOOKS: await self._webhooks(door, names[FieldKind.CHANNEL])}
        self._form.clear()
        with self._form:
            for group, fields in GROUPS.items():
                with ui.card().classes("full-width"):
                    heading(visit.say(Setting[f"GROUP_{group}".upper()]))
                    for one in fields:
                        self._row(one, names.get(one.kind, {}))

    def _row(self, one: SettingField, names: Mapping[str, str]) -> None:
        language, number = self._visit.speech.language, f"help-{one.path.replace('.', '-')}"
        with ui.row().classes("full-width setting"):
            with ui.column().classes("setting-words"):
                ui.label(one.label(language)).classes("setting-label")
                ui.label(one.help(language)).classes("text-caption").props(f'id="{number}"')
            with ui.element("div").classes("setting-value"):
                made = self._input(one, names).classes("full-width")
        made.props["aria-label"] = one.label(language)
        made.props(f'aria-describedby="{number}" dense hide-bottom-space')
        self._inputs[one.path] = made

    def _input(self, one: SettingField, names: Mapping[str, str]) -> ValueElement[Any]:
        visit, value, language = self._visit, self._shown[one.path], self._visit.speech.language
        match one.kind:
            case FieldKind.SWITCH:
                return ui.switch(value=value is True)
            case FieldKind.NUMBER:
                number = ui.number(value=float(str(value or 0)), min=one.least, max=one.most, step=1, precision=0)
                return number.props("outlined")
            case FieldKind.CHOICE:
                return ui.select(one.said_choices(language), value=value).props("outlined")
            case FieldKind.TEXT:
                return ui.textarea(value=str(value)).props(f"outlined autogrow counter maxlength={one.most}")
            case FieldKind.ZONE:
                return ui.input(value=str(value), autocomplete=list(COMMON)).props("outlined")
            case FieldKind.DAYS:
                days = dict(enumerate(weekday_names(language)))
                return ui.select(days, value=value, multiple=True).props("use-chips outlined")
            case FieldKind.CHANNEL | FieldKind.ROLE:
                chosen = "" if value in (None, str(visit.door.guild_id)) else str(value)
                nothing = one.said(language, None, self._shows({}))
                known = {chosen: names.get(chosen, HIDDEN), "": nothing} | self._offered(one, names)
                return ui.select(known, value=chosen, with_input=True).props("outlined")
            case FieldKind.NAMES if isinstance(value, list):
                chosen_names = ui.select(value, value=value, multiple=True, new_value_mode="add-unique")
                return chosen_names.props("use-chips outlined hide-dropdown-icon")
        several = [each for each in value if each in names] if isinstance(value, list) else []
        known = {str(each): names[str(each)] for each in several} | self._offered(one, names)
        made = ui.select(known, value=several, multiple=True, with_input=True).props("use-chips outlined")
        if not several:
            made.props["placeholder"] = one.said(language, [], self._shows({}))
        return made

    async def _webhooks(self, door: Door, channels: Mapping[str, str]) -> dict[str, str]:
        """List the webhooks that posted lately where they can read, and those that were chosen."""
        seen = {str(one.webhook_id): one for one in await self._visit.memory.overview.webhooks(door.reader)}
        chosen = self._shown["log.webhooks"]
        known = dict.fromkeys(chosen if isinstance(chosen, list) else [], HIDDEN)
        for number, one in seen.items():
            where = " ".join(channels.get(str(channel), HIDDEN) for channel in one.channels)
            known[str(number)] = f"{', '.join(one.names) or number} · {where}"
        return {str(number): name for number, name in known.items()}

    def _offered(self, one: SettingField, names: Mapping[str, str]) -> dict[str, str]:
        """Choose what a picker offers: one with every thread of a server would be of no use."""
        if one.kind not in (FieldKind.CHANNEL, FieldKind.CHANNELS):
            return dict(names)
        rooms = self._visit.memory.places.rooms(self._visit.door.reader)
        return {number: name for number, name in names.items() if int(number) in rooms}

    def _wanted(self) -> dict[str, SettingValue]:
        """Collect the settings that are not as they were when the page showed them."""
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
                chosen = set(map(str, value or ()))
                value = before if chosen == set(map(str, before)) & set(map(str, offered)) else value or []
            elif isinstance(before, str):
                value = (value or "").strip()
            if value != before:
                wanted[path] = value
        return wanted

    async def _save(self, door: Door, _: object) -> None:
        for made in self._inputs.values():
            made.props(remove="error error-message")
        if wanted := self._wanted():
            await self._tried(wanted, door, is_sure=False)
        else:
            self._say(self._visit.bot("notice", "nothing_changed"))

    async def _tried(self, wanted: dict[str, SettingValue], door: Door, *, is_sure: bool = True) -> None:
        """Try the change on what holds by now. Ask first before something is removed."""
        visit, privacy = self._visit, self._visit.memory.privacy
        change = self._change(door, wanted)
        try:
            doomed = await privacy.would_remove(door.guild_id, change, door.reader.sources)
            if doomed and not is_sure:
                words = visit.bot("notice", "removal_ask", what=self._counted(doomed))
                yes, no = visit.bot("notice", "removal_yes"), visit.bot("notice", "removal_no")
                asking(visit, words, yes, no, partial(self._tried, wanted))
                return
            done = await privacy.change_settings(door.guild_id, change, door.user_id, door.reader.sources)
        except NotASetting as refused:
            self._object(refused)
            return
        await self.show()
        self._say(*self._told(done, door))

    def _change(self, door: Door, wanted: dict[str, SettingValue]) -> Callable[[GuildSettings], GuildSettings]:
        memory = self._visit.memory
        channels, roles = memory.places.names(door.reader), memory.places.role_names(door.guild_id)
        now = memory.clock.now()
        return lambda settings: changed(settings, wanted, now, channels=channels.keys(), roles=roles.keys())

    def _told(self, done: SettingsChange, door: Door) -> list[str]:
        visit, language, show = self._visit, self._visit.speech.language, self._shows(self._names(door))
        before, after = read(done.before), read(done.after)
        lines = [visit.say(Panel.SAVED)]
        for path, value in after.items():
            if value != before[path]:
                lines.append(f"{FIELDS[path].label(language)}: {FIELDS[path].said(language, value, show)}")
        if done.removed:
            lines.append(visit.bot("notice", "log_cleaned", what=self._counted(done.removed)))
        return lines if done.all_removed else [*lines, visit.bot("notice", "cleaned_later")]

    def _shows(self, names: Names) -> Callable[[FieldKind, Sequence[str]], str]:
        return lambda kind, chosen: ", ".join(
            one if kind is FieldKind.TEXT else names.get(kind, {}).get(one, HIDDEN) for one in chosen
        )

    def _object(self, refused: NotASetting) -> None:
        """Object at the field itself, and beside the button for whoever does not see it."""
        visit, one, made = self._visit, FIELDS[refused.path], self._inputs[refused.path]
        if one.kind is FieldKind.ZONE:
            words = visit.bot("notice", "zone_unknown", typed=str(refused.wanted)[:60])
            words = f"{words} {visit.bot('notice', 'zone_hint')}"
        else:
            words = one.bounds(visit.speech.language)
        made.props("error")
        made.props["error-message"] = words
        self._say(f"{one.label(visit.speech.language)}: {words}", is_wrong=True)
        made.run_method("focus")

    def _say(self, *lines: str, is_wrong: bool = False) -> None:
        self._outcome.clear()
        with self._outcome:
            for line in lines:
                ui.label(line).classes("said" + (" text-negative" if is_wrong else ""))

    def _counted(self, removal: Removal) -> str:
        kinds = {"so_many_messages": removal.messages, "so_many_facts": removal.facts}
        said = [self._visit.bot("notice", key, count=count) for key, count in kinds.items() if count]
        return ", ".join([*said, *([self._visit.bot("notice", "removal_elsewhere")] if removal.elsewhere else [])])

    def _names(self, door: Door) -> Names:
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
