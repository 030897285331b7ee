"""Declares what the bot asks Discord for, what is lost where that is refused, and how its processes keep in step."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

import aiohttp
import discord
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from bot.settings import BotOptions
from memory.core.clock import Clock
from memory.diagnosis import Finding
from memory.health import HealthReporter
from memory.shards import ShardLeases


class Privileged(StrEnum):
    """Lists the intents that have to be switched on in the developer portal, by discord.py's name for them."""

    MESSAGE_CONTENT = "message_content"
    MEMBERS = "members"


LABEL: dict[Privileged, str] = {
    Privileged.MESSAGE_CONTENT: "Message Content Intent",
    Privileged.MEMBERS: "Server Members Intent",
}
LOST: dict[Privileged, str] = {
    Privileged.MESSAGE_CONTENT: (
        "the text of messages is hidden from the bot, except where it is mentioned or replied to: "
        "it answers there, and can remember little else"
    ),
    Privileged.MEMBERS: (
        "there are no member lists, so nobody can tell who reads a channel: a public reply draws only from the channel "
        "it stands in, there is no hall, and only /ask draws from all that the asker may read; people are known by "
        "name only after they have written, and it is not noticed when someone leaves or is renamed"
    ),
}
REMEDY = "Switch on {label} in the developer portal (your application, Bot, Privileged Gateway Intents), then restart."


def wanted(without: frozenset[Privileged] = frozenset()) -> discord.Intents:
    return discord.Intents(
        guilds=True,
        guild_messages=True,
        guild_reactions=True,
        dm_messages=True,
        guild_scheduled_events=True,
        message_content=Privileged.MESSAGE_CONTENT not in without,
        members=Privileged.MEMBERS not in without,
    )


def not_granted(flags: discord.ApplicationFlags) -> frozenset[Privileged]:
    """Find the intents that the application lacks: they are granted to verified bots, or switched on for small ones."""
    granted: set[Privileged] = set()
    if flags.gateway_message_content or flags.gateway_message_content_limited:
        granted.add(Privileged.MESSAGE_CONTENT)
    if flags.gateway_guild_members or flags.gateway_guild_members_limited:
        granted.add(Privileged.MEMBERS)
    return frozenset(Privileged) - granted


# Which server the bot speaks to: Discord, or another one that speaks its protocol.
#
# discord.py has no setting for this; its two addresses are class attributes.


@dataclass(frozen=True, slots=True)
class Endpoint:
    api_base: str
    gateway: URL

    @classmethod
    def current(cls) -> "Endpoint":
        return cls(Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY)

    def use(self) -> None:
        """Use this endpoint from here on, for every client of this process."""
        Route.BASE = self.api_base
        DiscordWebSocket.DEFAULT_GATEWAY = self.gateway


DISCORD = Endpoint.current()


def endpoint(options: BotOptions) -> Endpoint:
    if options.api_base is None or options.gateway_url is None:
        return DISCORD
    return Endpoint(options.api_base, URL(options.gateway_url))


@contextmanager
def speaking_to(server: Endpoint) -> Iterator[None]:
    before = Endpoint.current()
    server.use()
    try:
        yield
    finally:
        before.use()


# The permissions the bot needs in a server, and the link that invites it with them.


NEEDED: dict[str, str] = {
    "view_channel": "View Channels",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "read_message_history": "Read Message History",
    "embed_links": "Embed Links",
    "add_reactions": "Add Reactions",
}
"""By their name in discord.py, as Discord's own pages call them."""

PERMISSIONS = discord.Permissions(**dict.fromkeys(NEEDED, True))


def missing_permissions(granted: discord.Permissions) -> list[str]:
    if granted.administrator:
        return []
    return [label for name, label in NEEDED.items() if not getattr(granted, name)]


def invite_link(application_id: int) -> str:
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))


# What can stop the bot for good. The text of each is a sentence for the person who runs it.
#
#     BotError
#     ├── TokenRefusedError    Discord does not know the token
#     └── GatewayRefusedError  Discord ended the connection and will not take it back as it is
#
# A lost connection is not here: discord.py and `bot.run` try again until they are told to stop.


TROUBLE = (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError)
"""What Discord's REST API raises while it is in trouble; it is asked again later."""


class BotError(Exception):
    """The bot cannot run until a person changes something."""


class TokenRefusedError(BotError):
    def __init__(self) -> None:
        super().__init__(
            "DISCORD_TOKEN was refused by Discord: copy it anew from the developer portal (Bot, Reset Token), "
            "or leave it out to use the local guild."
        )


class GatewayRefusedError(BotError):
    def __init__(self, code: int) -> None:
        super().__init__(
            f"Discord closed the connection with code {code} and does not take this bot back as it is: "
            "see “Gateway Close Event Codes” in Discord's documentation."
        )


# Asks Discord whether everything is in place, and says what to do where it is not.


PAGE = 200
"""Discord's most for one answer about guilds."""


async def check_discord(options: BotOptions) -> list[Finding]:
    if options.token is None:
        return [
            Finding(
                "Discord",
                None,
                "DISCORD_TOKEN is not set: the bot lives in the local guild.",
                "To go live, put DISCORD_TOKEN=… into .env; the README tells where to get one.",
            )
        ]
    server = endpoint(options)
    with speaking_to(server):
        async with discord.Client(intents=discord.Intents.none()) as client:
            try:
                await client.login(options.token.get_secret_value())
                return await _look_around(client)
            except discord.LoginFailure:
                return [Finding("token", False, str(TokenRefusedError()))]
            except (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError) as error:
                return [
                    Finding(
                        "Discord",
                        False,
                        f"{server.api_base} did not answer as expected ({type(error).__name__}).",
                        "Check the connection to the internet and try again; Discord's state is on discordstatus.com.",
                    )
                ]


async def _look_around(client: discord.Client) -> list[Finding]:
    application = await client.application_info()
    findings = [Finding("token", True, f"accepted: the bot is called {client.user}.")]
    findings += _intents(application.flags)
    guilds = [guild async for guild in _guilds(client)]
    invite = f"Invite it with {invite_link(application.id)}"
    if not guilds:
        findings.append(Finding("guilds", False, "The bot is in no server yet.", invite))
    else:
        findings.append(Finding("guilds", True, f"The bot is in {len(guilds)} server{'s' * (len(guilds) > 1)}."))
    findings += permission_findings(guilds, invite)
    return findings


def permission_findings(guilds: Sequence[tuple[str, discord.Permissions]], invite: str) -> list[Finding]:
    findings: list[Finding] = []
    for name, permissions in guilds:
        if missing := missing_permissions(permissions):
            says = f"in “{name}” the bot's roles lack: {', '.join(missing)}."
            remedy = f"Give its role these permissions there. {invite} again, which sets them."
            findings.append(Finding("permissions", False, says, remedy))
    if guilds and not findings:
        findings.append(Finding("permissions", True, "The bot's roles allow all it needs (channels may still differ)."))
    return findings


def _intents(flags: discord.ApplicationFlags) -> list[Finding]:
    missing = not_granted(flags)
    return [
        Finding(LABEL[intent], False, f"is off: {LOST[intent]}.", REMEDY.format(label=LABEL[intent]))
        if intent in missing
        else Finding(LABEL[intent], True, "is on.")
        for intent in Privileged
    ]


async def _guilds(client: discord.Client) -> AsyncIterator[tuple[str, discord.Permissions]]:
    """List every guild's name and our permissions there; discord.py's `fetch_guilds` leaves the permissions out."""
    after: int | None = None
    while True:
        page = await client.http.get_guilds(PAGE, after=after, with_counts=False)
        for guild in page:
            yield guild["name"], discord.Permissions(int(guild["permissions"]))
        if len(page) < PAGE:
            return
        after = int(page[-1]["id"])


logger = logging.getLogger(__name__)

LIMITS_SECONDS = 5.0
"""How long identifying waits to be told how often it may be done."""


class ShardsLostError(ConnectionError):
    """Our shards were lost: another process may be connected as them by now, and say the same."""


def fenced(is_ours: Callable[[], bool]) -> aiohttp.TraceConfig:
    """Fence a client: whatever would change something at Discord is looked at once more before it is sent.

    A process that was stopped for a minute goes on in the middle of a reply, before any timer tells it so.
    """
    trace = aiohttp.TraceConfig()

    async def look(_session: object, _context: object, request: aiohttp.TraceRequestStartParams) -> None:
        if request.method != "GET" and not is_ours():
            raise ShardsLostError

    trace.on_request_start.append(look)
    return trace


class GatewayAwayError(ConnectionError):
    """Discord's gateway cannot be reached at the start."""


def _leave_out_frames(record: logging.LogRecord) -> bool:
    if record.exc_info and record.exc_info[0]:
        logger.debug("a try to connect failed", exc_info=record.exc_info)
        record.msg, record.args = f"{record.getMessage()} ({record.exc_info[0].__name__})", None
        record.exc_info = None
    return True


def log_connections_briefly() -> None:
    """Log one short line for each try that failed; where in the code it did is for DEBUG."""
    logging.getLogger("discord.shard").addFilter(_leave_out_frames)


class SessionStarts:
    """Spaces every IDENTIFY of this bot, in whichever process: in each bucket seconds apart, and so many in a day."""

    def __init__(
        self,
        client: discord.AutoShardedClient,
        leases: ShardLeases,
        gateway: HealthReporter,
        clock: Clock,
        seconds: float,
    ) -> None:
        """Keep starts `seconds` apart; 0: whoever serves the gateway does not mind."""
        self._client = client
        self._leases = leases
        self._gateway = gateway
        self._clock = clock
        self._seconds = seconds
        self._buckets = 1

    async def turn(self, shard_id: int) -> None:
        """Wait until this shard may identify."""
        while (limits := await self._limits()) is not None and limits.remaining == 0:
            pause = max(limits.reset_after / 1000, 1.0)
            again = self._clock.now() + timedelta(seconds=pause)
            self._gateway.failing(
                f"Discord lets this bot connect {limits.total} times a day, and that is used up; it waits until "
                f"{again:%Y-%m-%d %H:%M} UTC. Look in the log for what made it connect so often."
            )
            await asyncio.sleep(pause)
        if self._seconds:
            await self._leases.turn(shard_id % self._buckets, self._seconds)

    async def _limits(self) -> discord.SessionStartLimits | None:
        """Fetch Discord's limits of starts; None if it says none now: the last ones hold, and it counts by itself."""
        try:
            async with asyncio.timeout(LIMITS_SECONDS):
                limits = await self._client.fetch_session_start_limits()
        except (discord.GatewayNotFound, aiohttp.ClientError, TimeoutError, OSError, KeyError) as error:
            logger.info("could not read the gateway's session limit: %s", type(error).__name__)
            return None
        self._buckets = max(limits.max_concurrency, 1)
        self._gateway.show(starts_left=limits.remaining)
        return limits
