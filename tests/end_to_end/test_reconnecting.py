"""Connections that are lost at the worst moment: the bot comes back by itself, and hears what is said from then on."""

from local_guild.gateway.sessions import StartRules
from tests.end_to_end.house import House, Inn, until


def is_signing_in(house: House) -> bool:
    """A socket is open, and nobody has said on it who they are."""
    signed_in = sum(1 for session in house.server.sessions if session.link)
    return house.server.gateway.open_sockets > signed_in


async def test_a_socket_lost_before_signing_in_is_no_session_to_resume(own_inn: Inn) -> None:
    house, aylin = own_inn.house, own_inn.person("aylin")
    async with house.bot_running():
        await own_inn.until_stored(await aylin.say("before"))
        # It has been greeted, and waits before it signs in.
        await house.server.control.limit_starts(StartRules(total=0, reset_seconds=1.0))
        await house.server.control.invalidate_sessions(resumable=False)
        await until(lambda: "used up" in house.issues_of("gateway"))
        assert is_signing_in(house)
        await house.server.control.drop_sockets()
        await house.server.control.limit_starts(StartRules())
        await own_inn.until_stored(await aylin.say("after"))
