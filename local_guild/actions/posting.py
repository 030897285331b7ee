"""Posts, changes and deletes messages, with their reactions and pins, each told to whoever may see it."""

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from datetime import datetime, timedelta

from pydantic import BaseModel, Field

from local_guild.actions.realm import Realm, message_intent, place_of, reference_to
from local_guild.gateway.sessions import Event, Intent, MessageEvent, PersonalEvent
from local_guild.payloads import emoji_payload, thread_member_payload
from local_guild.state.ids import JsonObject, iso_or_none
from local_guild.state.messages import EPHEMERAL, Attachment, Message, MessageParts, Reaction
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, Thread

# Whom a message mentions, given its text and what its sender allowed to ping.


_USER = re.compile(r"<@!?(\d{15,20})>")
_ROLE = re.compile(r"<@&(\d{15,20})>")
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
_EVERYONE = re.compile(r"@(everyone|here)\b")


class AllowedMentions(BaseModel):
    """Says what a message may ping; one sent without it may ping whomever it names."""

    parse: list[str] = Field(default_factory=list)
    users: list[int] = Field(default_factory=list, max_length=100)
    roles: list[int] = Field(default_factory=list, max_length=100)
    replied_user: bool = False


PING_ANYONE = AllowedMentions(parse=["users", "roles", "everyone"], replied_user=True)


def _ids(pattern: re.Pattern[str], text: str) -> list[int]:
    return list(dict.fromkeys(int(found) for found in pattern.findall(text)))


# Who sits in a thread: joining, leaving, and a thread waking up when somebody speaks in it.


class ThreadSeats:
    def __init__(self, realm: Realm) -> None:
        self._realm = realm

    def join(self, channel: Channel, user_id: int) -> None:
        thread = _thread_of(channel)
        if user_id in thread.member_since:
            return
        could_view = self._realm.access.may_view(channel, user_id)
        thread.member_since[user_id] = self._realm.clock.now()
        self._realm.world.keep(channel)
        if not could_view:
            self._realm.hub.dispatch(self.announcement("THREAD_CREATE", channel, only=user_id))
        self._tell_members(channel, thread, added=[user_id], removed=[])

    def leave(self, channel: Channel, user_id: int) -> None:
        thread = _thread_of(channel)
        if user_id not in thread.member_since:
            return
        # Told before the seat is gone: who leaves a private thread may not look in afterwards.
        self._tell_members(channel, thread, added=[], removed=[user_id])
        del thread.member_since[user_id]
        self._realm.world.keep(channel)

    def wake(self, channel: Channel, speaker_id: int) -> None:
        """Take a thread out of the archive when somebody speaks in it, and give the speaker a seat."""
        thread = _thread_of(channel)
        if thread.archived:
            thread.archived = False
            thread.archived_at = self._realm.clock.now()
            self._realm.world.keep(channel)
            self._realm.hub.dispatch(self.announcement("THREAD_UPDATE", channel))
        self.join(channel, speaker_id)

    def invite(self, channel: Channel, user_ids: list[int]) -> None:
        """Give a seat to whoever is mentioned in a thread, if the room it hangs off is open to them."""
        parent = self._realm.world.channels.get(channel.parent_id or 0)
        for user_id in user_ids:
            if parent is not None and self._realm.access.may_view(parent, user_id):
                self.join(channel, user_id)

    def announcement(
        self, name: str, channel: Channel, *, only: int | None = None, newly_created: bool = False
    ) -> Event:
        def personal(reader_id: int) -> JsonObject:
            payload = self._realm.payloads.channel(channel, reader_id)
            return payload | {"newly_created": True} if newly_created else payload

        return PersonalEvent(
            name=name,
            personal=personal,
            intents=Intent.GUILDS,
            guild_id=channel.guild_id,
            channel_id=channel.id,
            only=None if only is None else frozenset({only}),
        )

    def _tell_members(self, channel: Channel, thread: Thread, *, added: list[int], removed: list[int]) -> None:
        data: JsonObject = {
            "id": str(channel.id),
            "guild_id": str(channel.guild_id),
            "member_count": min(len(thread.member_since) - len(removed), 50),
            "added_members": [self._seat(channel, thread, user_id) for user_id in added],
            "removed_member_ids": [str(user_id) for user_id in removed],
        }
        # Those with the Server Members intent hear of everybody, others only of themselves.
        about = frozenset({*added, *removed})
        self._realm.tell_channel("THREAD_MEMBERS_UPDATE", channel, data, Intent.GUILD_MEMBERS, about=about)

    def _seat(self, channel: Channel, thread: Thread, user_id: int) -> JsonObject:
        payload = thread_member_payload(channel.id, user_id, thread)
        member = self._realm.world.member(channel.guild_id or 0, user_id)
        if member is not None:
            payload |= {"member": self._realm.payloads.member(member), "presence": None}
        return payload


def _thread_of(channel: Channel) -> Thread:
    if channel.thread is None:
        raise ValueError(f"channel {channel.id} is not a thread")
    return channel.thread


MENTION_EVERYONE = int(Permission.MENTION_EVERYONE)
NONCE_MEMORY = timedelta(minutes=10)
EPHEMERAL_MEMORY = 10_000
PIN_MESSAGE, REPLY = 6, 19


@dataclass(slots=True, kw_only=True)
class Draft(MessageParts):
    """Holds a message about to be sent; `at` only to write history that is already past."""

    channel: Channel
    author_id: int
    content: str = ""
    enforce_nonce: bool = False
    replied_user_id: int | None = None
    allowed_mentions: AllowedMentions | None = None
    at: datetime | None = None
    # Only the first message of a forum's thread has an id given beforehand: the thread's own.
    id: int | None = None


@dataclass(slots=True, kw_only=True)
class Revision:
    """Says what an edit changes; None leaves a part as it is."""

    content: str | None = None
    embeds: list[JsonObject] | None = None
    components: list[JsonObject] | None = None
    attachments: list[Attachment] | None = None
    flags: int | None = None
    allowed_mentions: AllowedMentions | None = None

    @property
    def rewrites(self) -> bool:
        parts = (self.content, self.embeds, self.components, self.attachments)
        return any(part is not None for part in parts)


class Posting:
    def __init__(self, realm: Realm, seats: ThreadSeats) -> None:
        self._realm = realm
        self.seats = seats
        self._nonces: OrderedDict[tuple[int, str], Message] = OrderedDict()
        self.on_gone: Callable[[Message], None] = lambda _message: None
        """Told of every message that is not there any more."""

    def send(self, draft: Draft) -> Message:
        repeated = self._sent_before(draft)
        if repeated is not None:
            return repeated
        message = self.compose(draft)
        if draft.nonce is not None:
            self._nonces[(draft.author_id, str(draft.nonce))] = message
        self.publish(draft.channel, message)
        return message

    def publish(self, channel: Channel, message: Message) -> None:
        """Store a finished message and tell of it."""
        if message.ephemeral:
            ephemerals = self._realm.world.ephemerals
            ephemerals[message.id] = message
            if len(ephemerals) > EPHEMERAL_MEMORY:
                self.on_gone(ephemerals.pop(next(iter(ephemerals))))
        else:
            if channel.thread is not None and message.webhook_name is None:
                self.seats.wake(channel, message.author_id)
                self.seats.invite(channel, message.mentions)
            self._realm.world.keep(message)
        self._realm.hub.dispatch(self._event("MESSAGE_CREATE", message))

    def compose(self, draft: Draft) -> Message:
        """Compose the message that a draft becomes, neither stored nor told."""
        message = Message(
            id=draft.id or self._realm.ids.next(draft.at),
            channel_id=draft.channel.id,
            author_id=draft.author_id,
            content=draft.content,
            **{part.name: getattr(draft, part.name) for part in fields(MessageParts)},
        )
        message.flags |= EPHEMERAL if draft.reader_id is not None else 0
        self._note_mentions(message, draft)
        return message

    def edit(self, message: Message, revision: Revision) -> Message:
        for part in ("content", "embeds", "components", "attachments", "flags"):
            if (changed := getattr(revision, part)) is not None:
                setattr(message, part, changed)
        if revision.content is not None:
            self._note_mentions(message, revision)
        if revision.rewrites:
            message.edited_at = self._realm.clock.now()
        self.announce_change(message)
        return message

    def unfurl(self, message: Message, embeds: list[JsonObject]) -> None:
        """Add a link's preview that arrives: the message changes, but nobody has edited it."""
        message.embeds = embeds
        self.announce_change(message)

    def announce_change(self, message: Message) -> None:
        if not message.ephemeral:
            self._realm.world.keep(message)
        self._realm.hub.dispatch(self._event("MESSAGE_UPDATE", message))

    def pin(self, channel: Channel, message: Message, by: int) -> None:
        if message.pinned:
            return
        message.pinned = True
        channel.last_pin_at = self._realm.clock.now()
        self._realm.world.keep(channel)
        self._tell_pins(channel, message)
        reference = reference_to(channel, message.id)
        self.send(Draft(channel=channel, author_id=by, type=PIN_MESSAGE, reference=reference))

    def unpin(self, channel: Channel, message: Message) -> None:
        if message.pinned:
            message.pinned = False
            self._tell_pins(channel, message)

    def _tell_pins(self, channel: Channel, message: Message) -> None:
        self.announce_change(message)
        last_pin: JsonObject = {"last_pin_timestamp": iso_or_none(channel.last_pin_at)}
        intent = message_intent(channel) if channel.guild_id is None else Intent.GUILDS
        self._realm.tell_channel("CHANNEL_PINS_UPDATE", channel, last_pin | place_of(channel), intent)

    def delete(self, message: Message) -> None:
        channel = self._realm.world.channels[message.channel_id]
        data, readers = place_of(channel) | {"id": str(message.id)}, None
        if message.ephemeral:
            self._realm.world.ephemerals.pop(message.id, None)
            self.on_gone(message)
            readers = frozenset({message.reader_id or 0, message.author_id})
        else:
            self._remove([message], channel)
        self._realm.tell_channel("MESSAGE_DELETE", channel, data, message_intent(channel), only=readers)

    def delete_many(self, channel: Channel, messages: Iterable[Message]) -> None:
        doomed = list(messages)
        self._remove(doomed, channel)
        data = place_of(channel) | {"ids": [str(message.id) for message in doomed]}
        self._realm.tell_channel("MESSAGE_DELETE_BULK", channel, data, message_intent(channel))

    def recall_nonces(self) -> None:
        """Recall nonces after a restart: what was sent in the last minutes must still not be sent twice."""
        horizon = self._realm.clock.now() - NONCE_MEMORY
        for channel_id in self._realm.world.channels:
            for message in self._realm.world.log(channel_id).newest_first():
                if message.created_at < horizon:
                    break
                if message.nonce is not None:
                    self._nonces[(message.author_id, str(message.nonce))] = message

    def _remove(self, messages: list[Message], channel: Channel) -> None:
        for message in messages:
            self._realm.world.drop(message)
            self.on_gone(message)
        if channel.thread is not None:
            channel.thread.deleted_messages += len(messages)
            self._realm.world.keep(channel)

    def _sent_before(self, draft: Draft) -> Message | None:
        if draft.nonce is None:
            return None
        horizon = self._realm.clock.now() - NONCE_MEMORY
        while self._nonces and next(iter(self._nonces.values())).created_at < horizon:
            self._nonces.popitem(last=False)
        if not draft.enforce_nonce:
            return None
        return self._nonces.get((draft.author_id, str(draft.nonce)))

    def _note_mentions(self, message: Message, text: Draft | Revision) -> None:
        """Note whom a message pings, by its text and by what its sender allows; what stands in code pings nobody."""
        world, channel = self._realm.world, self._realm.world.channels[message.channel_id]
        guild = None if channel.guild_id is None else world.guilds[channel.guild_id]
        rules = PING_ANYONE if text.allowed_mentions is None else text.allowed_mentions
        said = _CODE.sub(" ", message.content) if "@" in message.content else ""
        message.mentions = [
            one for one in _ids(_USER, said) if one in world.users and ("users" in rules.parse or one in rules.users)
        ]
        message.mention_roles = [
            one
            for one in _ids(_ROLE, said)
            if guild is not None and one in guild.roles and ("roles" in rules.parse or one in rules.roles)
        ]
        replied_to = text.replied_user_id if isinstance(text, Draft) else None
        if replied_to is not None and rules.replied_user and replied_to not in message.mentions:
            message.mentions.append(replied_to)
        may_ping_all = bool(self._realm.access.in_channel(channel, message.author_id) & MENTION_EVERYONE)
        message.mention_everyone = may_ping_all and "everyone" in rules.parse and bool(_EVERYONE.search(said))

    def _event(self, name: str, message: Message) -> Event:
        channel = self._realm.world.channels[message.channel_id]
        readers = None
        if message.ephemeral:
            readers = frozenset({message.reader_id or 0, message.author_id})
        return MessageEvent(
            name=name,
            data=self._realm.payloads.message_event(message),
            intents=message_intent(channel),
            guild_id=channel.guild_id,
            channel_id=channel.id,
            only=readers,
            full_for=frozenset({message.author_id, *message.mentions}),
        )

    def react(self, message: Message, name: str, user_id: int) -> None:
        reaction = message.reaction(name)
        if reaction is None:
            reaction = Reaction(name, [])
            message.reactions.append(reaction)
        if user_id in reaction.user_ids:
            return
        reaction.user_ids.append(user_id)
        data = self._reaction_of(reaction, user_id) | {"message_author_id": str(message.author_id)}
        channel = self._realm.world.channels[message.channel_id]
        member = self._realm.world.member(channel.guild_id or 0, user_id)
        if member is not None:
            data["member"] = self._realm.payloads.member(member)
        self._announce_reaction("MESSAGE_REACTION_ADD", message, data)

    def unreact(self, message: Message, name: str, user_id: int) -> None:
        reaction = message.reaction(name)
        if reaction is None or user_id not in reaction.user_ids:
            return
        reaction.user_ids.remove(user_id)
        if not reaction.user_ids:
            message.reactions.remove(reaction)
        self._announce_reaction("MESSAGE_REACTION_REMOVE", message, self._reaction_of(reaction, user_id))

    def _reaction_of(self, reaction: Reaction, user_id: int) -> JsonObject:
        return {
            "user_id": str(user_id),
            "emoji": emoji_payload(reaction.emoji_name),
            "burst": False,
            "type": 0,
        }

    def _announce_reaction(self, name: str, message: Message, data: JsonObject) -> None:
        if not message.ephemeral:
            self._realm.world.keep(message)
        channel = self._realm.world.channels[message.channel_id]
        data |= place_of(channel) | {"message_id": str(message.id)}
        in_dm, in_guild = Intent.DIRECT_MESSAGE_REACTIONS, Intent.GUILD_MESSAGE_REACTIONS
        self._realm.tell_channel(name, channel, data, in_dm if channel.guild_id is None else in_guild)
