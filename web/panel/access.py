"""Who is signed in as oneself: browsers, and tokens for the API."""

from nicegui import ui

from memory.access.values import LONGEST_NAME, LONGEST_TOKEN_DAYS, MOST_TOKENS, Door, Key
from web.bounds import whole
from web.panel.elements import heading
from web.panel.shell import Visit
from web.words import Panel

DAYS = 90


async def body(visit: Visit) -> None:
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
