"""Generated guilds: two side by side with the same people, each with every kind of place and of member."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from local_guild.gateway.sessions import Intent
from local_guild.server import LocalGuild
from local_guild.state.describe import Builder
from local_guild.state.ids import Clock, JsonObject, iso
from local_guild.state.permissions import EVERYONE_DEFAULT, Permission
from local_guild.state.world import Channel, ChannelType, Guild, Overwrite, Record, Role, User, World
from tests.end_to_end.leaks.canaries import BACK, LOOK_IN, READ_BACK, Canaries, Kind

SPEAK = int(Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS)
OPENED = READ_BACK | SPEAK
RANKS = {
    "Steward": int(Permission.ADMINISTRATOR),
    "Manager": int(Permission.MANAGE_GUILD),
    "Warden": int(Permission.MANAGE_THREADS | Permission.MANAGE_MESSAGES),
    "Red": 0,
    "Green": 0,
    "Blue": 0,
}
COLOURS = ("Red", "Green", "Blue")
GUESTS = ("ines", "jurek", "kofi", "lene", "mirela", "nuno")
GATED_ROLE = "Verified"
SACRIFICED = "nuno"
"""Who really has themselves erased; if everybody did, there would soon be nothing left to leak."""


@dataclass(frozen=True)
class Scenery:
    world: World
    guilds: tuple[Guild, Guild]
    canaries: Canaries


def build(rng: random.Random, canaries: Canaries) -> Scenery:
    clock = Clock()
    builder = Builder(clock, rng, clock.now() - timedelta(days=3))
    builder.application("Innkeeper")
    owners = [builder.user("ada"), builder.user("bruno")]
    ranked = {rank: builder.user(rank.lower()) for rank in ("Steward", "Manager", "Warden")}
    guests = [builder.user(name) for name in GUESTS]
    stray, jukebox = builder.user("stray"), builder.user("jukebox", bot=True)
    guilds = []
    for number, owner in enumerate(owners):
        guild = builder.guild("an inn", owner)
        guild.name = f"Inn {canaries.new(Kind.GUILD_NAME, guild.id).token}"
        gated = rng.random() < 0.5
        roles = _roles(builder, guild, canaries, gated=gated)
        entry = [roles[GATED_ROLE]] if gated else []
        people = [(user, [roles[rank], *entry]) for rank, user in ranked.items()]
        colours = [rng.sample(COLOURS, rng.randint(0, 2)) for _ in guests]
        people += [
            (guest, [*map(roles.__getitem__, worn), *entry]) for guest, worn in zip(guests, colours, strict=True)
        ]
        loner = builder.user("a loner")
        loner.name = canaries.new(Kind.USERNAME, guild.id).token
        people += [(owners[1 - number], entry), (loner, entry), (stray, []), (jukebox, [roles["Red"], *entry])]
        for user, held in people:
            builder.member(guild, user, held)
        for user_id in rng.sample([user.id for user, _ in people], 5):
            builder.world.members(guild.id)[user_id].nick = canaries.new(Kind.NICKNAME, guild.id).token
        _channels(builder, guild, roles, rng, canaries)
        guilds.append(guild)
    return Scenery(builder.world, (guilds[0], guilds[1]), canaries)


def _roles(builder: Builder, guild: Guild, canaries: Canaries, *, gated: bool) -> dict[str, Role]:
    """Named by canaries: which role somebody has is the guild's own business."""
    permissions = dict(RANKS)
    if gated:
        guild.roles[guild.id].permissions = EVERYONE_DEFAULT & ~LOOK_IN
        permissions[GATED_ROLE] = EVERYONE_DEFAULT
    return {
        name: builder.role(guild, canaries.new(Kind.ROLE_NAME, guild.id).token, allowed)
        for name, allowed in permissions.items()
    }


def _channels(builder: Builder, guild: Guild, roles: dict[str, Role], rng: random.Random, canaries: Canaries) -> None:
    def add(
        label: str,
        overwrites: Iterable[Overwrite] = (),
        *,
        kind: ChannelType = ChannelType.TEXT,
        parent: Channel | None = None,
        nsfw: bool = False,
        with_bot: bool = True,
    ) -> Channel:
        channel = builder.channel(guild, label, kind=kind, parent=parent, nsfw=nsfw)
        channel.name = f"{label}-{canaries.new(Kind.CHANNEL_NAME, guild.id, channel.id).token}"
        channel.overwrites = {one.id: one for one in overwrites}
        if with_bot:
            bot_id = builder.world.facts.bot_id
            channel.overwrites[bot_id] = Overwrite(bot_id, for_member=True, allow=OPENED)
        return channel

    red, green, blue = (roles[colour] for colour in COLOURS)
    add("general")
    add("games", kind=ChannelType.ANNOUNCEMENT)
    add("red-room", closed_but_for(guild, red))
    add("two-colours", closed_but_for(guild, green, blue))
    add("not-for-blue", [overwrite(blue, deny=LOOK_IN)])
    add("window", [overwrite(guild, deny=BACK), overwrite(red, allow=BACK)])
    back = add("back", closed_but_for(guild, green), kind=ChannelType.CATEGORY)
    add("inherited", closed_but_for(guild, green), parent=back)
    add("not-inherited", parent=back)
    add("grown-ups", nsfw=True)
    add("grown-up-reds", closed_but_for(guild, red), nsfw=True)
    add("voice", closed_but_for(guild, blue), kind=ChannelType.VOICE)
    add("without-bot", closed_but_for(guild, red), with_bot=False)
    members = [user_id for user_id in builder.world.members(guild.id) if user_id != builder.world.facts.bot_id]
    for number in range(3):
        picked = rng.sample([red, green, blue, guild.roles[guild.id]], 2)
        strange = [random_overwrite(rng, role.id, for_member=False) for role in picked]
        strange += [random_overwrite(rng, user_id, for_member=True) for user_id in rng.sample(members, 2)]
        add(f"odd-{number}", strange)


def closed_but_for(guild: Guild, *roles: Role) -> list[Overwrite]:
    return [overwrite(guild, deny=LOOK_IN), *(overwrite(role, allow=OPENED) for role in roles)]


def overwrite(one: Role | User | Guild, *, allow: int = 0, deny: int = 0) -> Overwrite:
    """For a role, a member, or everyone in a guild."""
    return Overwrite(one.id, for_member=isinstance(one, User), allow=allow, deny=deny)


def random_overwrite(rng: random.Random, target_id: int, *, for_member: bool) -> Overwrite:
    bits = {bit: rng.randrange(3) for bit in (LOOK_IN, BACK, SPEAK)}
    allow, deny = (sum(bit for bit, drawn in bits.items() if drawn == wanted) for wanted in (0, 1))
    return Overwrite(target_id, for_member=for_member, allow=allow, deny=deny)


def start_threads(server: LocalGuild, guild: Guild, rng: random.Random, canaries: Canaries) -> None:
    """Threads of every kind: public and private ones, with the bot in them and without."""
    for label, private, with_bot in (
        ("general", False, True),
        ("general", True, True),
        ("general", True, False),
        ("red-room", False, True),
        ("red-room", True, True),
        ("grown-ups", True, True),
    ):
        parent = next(one for one in server.world.channels_of(guild.id) if one.name.startswith(f"{label}-zq"))
        start_thread(server, parent, rng, canaries, private=private, with_bot=with_bot)


def start_thread(
    server: LocalGuild, parent: Channel, rng: random.Random, canaries: Canaries, *, private: bool, with_bot: bool = True
) -> Channel:
    world = server.world
    people = sorted(one for one in server.access.viewers(parent) if not world.users[one].bot)
    starter, *guests = rng.sample(people, min(len(people), 3))
    canary = canaries.new(Kind.CHANNEL_NAME, parent.guild_id or 0)
    thread = server.threads.start(parent, f"thread-{canary.token}", starter, private=private)
    # The parent tells of a public thread's name, to those who may read the parent: they may read the thread as well.
    canary.source_id = thread.id
    for user_id in [*guests, *([world.facts.bot_id] if with_bot else [])]:
        server.seats.join(thread, user_id)
    return thread


def schedule(
    server: LocalGuild, guild: Guild, creator_id: int, name: str, starts_at: datetime, channel: Channel | None = None
) -> None:
    """An event in a voice channel, or elsewhere; those who see it are told of it, and Discord goes on listing it."""
    body: JsonObject = {
        "id": str(server.ids.next()),
        "guild_id": str(guild.id),
        "channel_id": None if channel is None else str(channel.id),
        "creator_id": str(creator_id),
        "name": name[:100],
        "description": "",
        "scheduled_start_time": iso(starts_at),
        "scheduled_end_time": iso(starts_at + timedelta(hours=1)) if channel is None else None,
        "privacy_level": 2,
        "status": 1,
        "entity_type": 3 if channel is None else 2,
        "entity_id": None,
        "entity_metadata": {"location": "the lake"} if channel is None else None,
        "interested": [],
    }
    server.world.keep(Record(f"event:{body['id']}", body))
    shown = {name: value for name, value in body.items() if name != "interested"}
    if channel is None:
        server.realm.tell_guild("GUILD_SCHEDULED_EVENT_CREATE", guild, shown, Intent.GUILD_SCHEDULED_EVENTS)
    else:
        server.realm.tell_channel("GUILD_SCHEDULED_EVENT_CREATE", channel, shown, Intent.GUILD_SCHEDULED_EVENTS)


def poll_of(question: str, answer: str, closes_at: datetime) -> dict[str, object]:
    return {
        "question": {"text": question},
        "answers": [{"answer_id": 1, "poll_media": {"text": answer}}],
        "allow_multiselect": False,
        "expiry": closes_at.isoformat(),
        "layout_type": 1,
    }


def forwarded(text: str, sent_at: datetime) -> dict[str, object]:
    """Somebody's words, as they stand in a message that passes them on."""
    lists = ("embeds", "attachments", "mentions", "mention_roles", "components", "sticker_items")
    words = {"content": text, "type": 0, "flags": 0, "timestamp": sent_at.isoformat(), "edited_timestamp": None}
    return {"message": words | {name: [] for name in lists}}
