"""What a session hears first, and the member lists it may ask for: READY, GUILD_CREATE, member chunks."""

from collections.abc import Sequence

from pydantic import BaseModel

from local_guild.gateway.events import Event, Intent
from local_guild.gateway.sessions import Hub, Session
from local_guild.payloads.objects import Payloads, user_payload
from local_guild.state.ids import JsonObject
from local_guild.state.world import Guild, Member, User, World

CHUNK_SIZE = 1000


class MemberRequest(BaseModel):
    guild_id: int
    nonce: str | None = None


class Greeter:
    def __init__(self, world: World, hub: Hub, payloads: Payloads) -> None:
        self._world = world
        self._hub = hub
        self._payloads = payloads

    def greet(self, session: Session, user: User, gateway_url: str) -> None:
        guilds = [g for g in self._world.guilds_of(user.id) if session.shard.holds(g.id)]
        ready: JsonObject = {
            "v": 10,
            "user": user_payload(user) | {"verified": True, "mfa_enabled": False, "flags": 0, "email": None},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": gateway_url,
            "private_channels": [],
            "application": {"id": str(self._world.facts.bot_id), "flags": 1 << 15 | 1 << 19},
            "shard": [session.shard.index, session.shard.count],
        }
        self._hub.tell(session, Event(name="READY", data=ready))
        for guild in guilds:
            if not guild.unavailable:
                self.introduce(session, guild)

    def introduce(self, session: Session, guild: Guild, *, joined: bool = False) -> None:
        """GUILD_CREATE, as this session may see the guild.

        A guild that has become available says so; by not saying it, one just joined is told apart.
        """
        if not session.reader.intents & Intent.GUILDS:
            return
        data = self._payloads.guild_create(
            guild,
            session.reader.user_id,
            all_members=bool(session.reader.intents & Intent.GUILD_MEMBERS),
            listening=session.application,
        )
        if joined:
            del data["unavailable"]
        self._hub.tell(session, Event(name="GUILD_CREATE", data=data))

    def send_members(self, session: Session, request: MemberRequest) -> None:
        guild = self._world.guilds.get(request.guild_id)
        members = self._world.members(request.guild_id)
        if guild is None or session.reader.user_id not in members:
            return
        # The whole list, and its size, are for those with the Server Members intent.
        if session.reader.intents & Intent.GUILD_MEMBERS:
            self._send_chunks(session, request, list(members.values()))

    def _send_chunks(self, session: Session, request: MemberRequest, found: Sequence[Member]) -> None:
        chunks = [found[i : i + CHUNK_SIZE] for i in range(0, len(found), CHUNK_SIZE)] or [[]]
        for index, chunk in enumerate(chunks):
            data: JsonObject = {
                "guild_id": str(request.guild_id),
                "members": [self._payloads.member(member) for member in chunk],
                "chunk_index": index,
                "chunk_count": len(chunks),
            }
            if request.nonce is not None:
                data["nonce"] = request.nonce
            self._hub.tell(session, Event(name="GUILD_MEMBERS_CHUNK", data=data))
