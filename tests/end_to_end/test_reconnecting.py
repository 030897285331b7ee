"""Connections that are lost at the worst moment: the bot comes back by itself, and hears what is said from then on."""

import asyncio

from tests.end_to_end.house import House, Inn, until


def is_signing_in(house: House) -> bool:
    """A socket is open, and nobody has said on it who they are."""
    signed_in = sum(1 for session in house.server.sessions if session.link)
    return house.server.gateway.open_sockets > signed_in


async def test_a_socket_lost_before_signing_in_is_no_session_to_resume(own_inn: Inn) -> None:
    house, aylin = own_inn.house, own_inn.person("aylin")
    async with house.bot_running():
        await own_inn.until_stored(await aylin.say("before"))
        await house.server.control.invalidate_sessions(resumable=False)
        await until(lambda: is_signing_in(house))
        await asyncio.sleep(1)  # it has been greeted, and pauses for five seconds before it signs in
        assert is_signing_in(house)
        await house.server.control.drop_sockets()
        await own_inn.until_stored(await aylin.say("after"))
