"""Asks Discord whether everything is in place, and says what to do where it is not."""

from collections.abc import AsyncIterator, Sequence

import aiohttp
import discord

from bot.endpoint import endpoint, speaking_to
from bot.errors import TokenRefusedError
from bot.intents import LABEL, LOST, REMEDY, Privileged, not_granted
from bot.invitation import invite_link, missing_permissions
from bot.settings import BotOptions
from memory.diagnosis import Finding

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


def permission_findings(guilds: Sequence[tuple[str, discord.Permissions | None]], invite: str) -> list[Finding]:
    """By what Discord says of each guild; None where it says nothing, which is not the same as none."""
    findings: list[Finding] = []
    for name, permissions in guilds:
        missing = () if permissions is None else missing_permissions(permissions)
        if permissions is None:
            says = f"in “{name}” Discord does not say what the bot's roles allow."
            findings.append(Finding("permissions", None, says))
        elif missing:
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


async def _guilds(client: discord.Client) -> AsyncIterator[tuple[str, discord.Permissions | None]]:
    """Name and own permissions of every guild; discord.py's `fetch_guilds` leaves the permissions out."""
    after: int | None = None
    while True:
        page = await client.http.get_guilds(PAGE, after=after, with_counts=False)
        for guild in page:
            said = guild.get("permissions")
            yield guild["name"], None if said is None else discord.Permissions(int(said))
        if len(page) < PAGE:
            return
        after = int(page[-1]["id"])
