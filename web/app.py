"""Builds the web process's application: the panel and health for all, the local guild's chat where there is no token.

How Innkeeper is, over HTTP: `/healthz` for liveness, `/readyz` for readiness, `/api/health` for every part.

Anybody may ask for states. What is wrong, counts and times of work are shown to whoever asks from this very machine:
they name channels, machines and what goes on.
"""

import operator
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from html import escape
from typing import Annotated, TypeAlias

from fastapi import APIRouter, FastAPI, Request, Response
from nicegui import app as nicegui_app
from nicegui import ui
from pydantic import BaseModel, BeforeValidator, Field
from starlette.responses import RedirectResponse

from local_guild.page import add_chat_page
from local_guild.server import LocalGuild
from memory.core.version import VERSION
from memory.health import HealthReport, PartState
from memory.manager import MemoryManager
from memory.shards import shards_without_process
from web.api.app import Api, McpRoute
from web.guard import Doors, Guard, guard_sockets, is_local, sign_in_routes
from web.metrics import metrics_routes
from web.panel import days, memory, overview, privacy, recall, reminders, settings
from web.panel.overview import health_details, health_numbers, health_sentence
from web.panel.shell import Leaf, PanelPages
from web.words import Panel, head, plain_page, speech_for

Reporter: TypeAlias = Callable[[], Awaitable[HealthReport]]

LEAVES = (
    Leaf("/panel", Panel.OVERVIEW, "home", overview.body),
    Leaf("/panel/memory", Panel.MEMORY, "psychology", memory.body),
    Leaf("/panel/days", Panel.DAYS, "today", days.body),
    Leaf("/panel/recall", Panel.RECALL, "search", recall.body),
    Leaf("/panel/reminders", Panel.REMINDERS, "alarm", reminders.body),
    Leaf("/panel/privacy", Panel.PRIVACY, "shield", privacy.body),
    Leaf("/panel/settings", Panel.SETTINGS, "tune", settings.body, for_managers=True),
    Leaf("/panel/usage", Panel.USAGE, "bar_chart", overview.usage, for_managers=True),
    Leaf("/panel/access", Panel.ACCESS, "key", privacy.access),
)
"""The pages of the panel, in the order of its menu."""
AWAY_SECONDS = 30.0
"""A page that is out of touch for less goes on where it was: a phone shows another app, a train goes through a tunnel.
By it NiceGUI also sets how long a busy browser may take to say that it is there; what is typed is lost if it is sent
away too soon."""


def create_app(
    report: Reporter,
    memory: Callable[[], MemoryManager | None],
    local_guild: LocalGuild | None,
    public_url: str = "",
    *,
    metrics_token: str = "",
) -> FastAPI:
    """Build the application; `public_url` is where browsers reach it, if that is not this machine."""
    doors = Doors(memory, is_tls=public_url.startswith("https:"))
    api = Api(doors)
    mcp = McpRoute(api.app)
    # The API has a document of its own.
    app = FastAPI(title="Innkeeper", docs_url=None, redoc_url=None, openapi_url=None, lifespan=mcp.lifespan)
    app.include_router(health_routes(report))
    app.include_router(metrics_routes(report, memory, metrics_token))
    app.router.routes.extend((api, mcp))
    app.include_router(sign_in_routes(doors, None if local_guild is None else local_guild.member_of))
    app.include_router(privacy.export_route(doors))
    PanelPages(doors, LEAVES, chat=None if local_guild is None else "/")
    add_status_page(report)
    if local_guild is None:
        app.add_api_route("/", lambda: RedirectResponse(LEAVES[0].path), include_in_schema=False, response_model=None)
    else:
        add_chat_page("/", panel="/panel/local")
        app.router.routes.extend(local_guild.routes())
    app.add_middleware(Guard)
    guard_sockets(doors)
    add_not_found_page()
    ui.run_with(
        app,
        title="Innkeeper",
        favicon="🏮",
        dark=None,
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=AWAY_SECONDS,
        # Compressing on loopback only costs time, and Discord's own answers must arrive as the local guild made them.
        gzip_middleware_factory=None,
    )
    return app


def add_not_found_page() -> None:
    """Replace NiceGUI's page, which writes the address into the log: it may be a link that signs somebody in."""

    @nicegui_app.exception_handler(404)
    async def not_found(request: Request, _: Exception) -> Response:
        speech = speech_for(request.headers)
        lines = [escape(speech.say(one)) for one in (Panel.NO_PAGE, Panel.HOW_TO_SIGN_IN)]
        way = f'<a href="/panel">{escape(speech.say(Panel.TO_OVERVIEW))}</a>'
        body = "".join(f"<p>{line}</p>" for line in (*lines, way))
        return plain_page(speech, speech.say(Panel.NOT_FOUND_TITLE), body, 404)


# How it is, over HTTP.


class PartView(BaseModel):
    name: str
    state: PartState
    since: datetime
    updated_at: datetime | None
    checked_at: datetime
    counts: dict[str, int]
    issues: list[str]


class ProcessView(BaseModel):
    name: str = Field(validation_alias="process")
    state: PartState
    alive: Annotated[bool, BeforeValidator(operator.not_)] = Field(validation_alias="issues")
    started_at: datetime
    beat_at: datetime
    issues: list[str]
    parts: list[PartView]


class HealthView(BaseModel):
    innkeeper: str | None = None
    state: PartState
    made_at: datetime
    processes: list[ProcessView]


class Readiness(BaseModel):
    ready: bool
    reasons: list[str]


def health_routes(report: Reporter) -> APIRouter:
    router = APIRouter(tags=["health"])

    @router.get("/healthz", summary="The web process lives")
    async def healthz() -> dict[str, str]:
        return {"status": "alive"}

    @router.get("/readyz", summary="Database and bot are well", responses={503: {"model": Readiness}})
    async def readyz(request: Request, response: Response) -> Readiness:
        reasons = unready(shown_to(request, await report()))
        response.status_code = 503 if reasons else 200
        return Readiness(ready=not reasons, reasons=reasons)

    @router.get("/api/health", summary="Every part of every process")
    async def health(request: Request) -> HealthView:
        found = HealthView.model_validate(shown_to(request, await report()), from_attributes=True)
        return found.model_copy(update={"innkeeper": VERSION}) if is_local(request) else found

    return router


def shown_to(request: Request, report: HealthReport) -> HealthReport:
    """Show the whole health report to whoever asks from this machine; to others the states."""
    return report if is_local(request) else report.states_alone()


def unready(report: HealthReport) -> list[str]:
    """List why a member would not be answered as they should; empty when all is well."""
    known = {process.process for process in report.processes}
    reasons = [] if (missing := shards_without_process(known)) is None else [f"bot: {missing}"]
    reasons += [] if "web" in known else ["web: has not reported yet"]
    for process in report.processes:
        reasons += [f"{process.process}: {issue}" for issue in process.issues]
        for part in process.parts:
            if part.state is not PartState.ACTIVE:
                said = "; ".join(part.issues) or part.state.value
                reasons.append(f"{process.process}, {part.name}: {said}")
    return reasons


# A page that says in a sentence how it is, to those who run it also why and what each part does, and renews itself.


REFRESH_S = 5.0


def add_status_page(report: Reporter) -> None:
    @ui.page("/status", title="Innkeeper · status")
    async def status(request: Request) -> None:
        runs_it, speech = is_local(request), speech_for(request.headers)
        ui.add_head_html(head())

        @ui.refreshable
        async def sentence() -> None:
            now = await report()
            reasons, found = unready(now), now.condition()
            if reasons and found.state is PartState.ACTIVE:  # a process is missing
                found = replace(found, state=PartState.FAILING)
            health_sentence(found, speech, tells_more=runs_it)
            for reason in reasons if runs_it else ():
                ui.label(reason).classes("text-negative")
            if found.state is PartState.FAILING and not runs_it:
                ui.label(speech.bot("notice", "status_in_log"))

        @ui.refreshable
        async def parts() -> None:
            health_details(await report(), None, speech, runs_it=True)

        @ui.refreshable
        async def numbers() -> None:
            health_numbers(await report(), speech, runs_it=True, with_counts=True)

        with ui.column().classes("page"):
            ui.label("Innkeeper").classes("title").props('role="heading" aria-level="1"')
            await sentence()
            if runs_it:
                # Open or closed, it stays so while what is inside is renewed.
                with ui.expansion(speech.bot("notice", "status_details")).classes("full-width"):
                    ui.label(f"Innkeeper {VERSION}")
                    await parts()
                    with ui.expansion(speech.say(Panel.NUMBERS)).classes("full-width"):
                        await numbers()
        ui.timer(REFRESH_S, lambda: (sentence.refresh(), parts.refresh(), numbers.refresh()))
