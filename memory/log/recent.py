"""Keeps the newest messages of each channel in memory, so that there is something to look at without the database.

It follows edits and deletes, forgets with them, and is never the truth: whoever reads it says so.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from cachetools import LRUCache

from memory.core.values import AuthorKind, Message, MessageEdit
from memory.language.detect import Language, language_of
from memory.language.word_caches import register_cache
from memory.log.batch_queue import Change, ChannelDeletion, Deletion
from memory.places.view import Audience
from memory.policy.rules import Policy, Verdict, may_store
from memory.policy.store import Policies

CHANNELS = 100
"""The most recently used ones; with `length` this bounds the whole."""
EDITS = 1_000
"""The last edits, for messages that are stored behind them."""


class RecentMessages:
    def __init__(self, length: int, policies: Policies) -> None:
        self._length = length
        self._policies = policies
        self._channels: OrderedDict[tuple[int, int], dict[int, Message]] = OrderedDict()
        self._addressed: OrderedDict[int, None] = OrderedDict()
        self._edits: OrderedDict[int, MessageEdit] = OrderedDict()
        self._closed: LRUCache[tuple[int, int], bool] = LRUCache(CHANNELS)
        """Channels that were deleted a while ago: what is told of them late is not taken in."""
        policies.on_decision = self.apply_policy
        register_cache(self)

    def add(self, message: Message) -> None:
        """Add a message, unless it may not be stored: then it may not lie here either."""
        policy = self._policies.known(message.guild_id)
        if self._is_gone(message) or (policy is not None and may_store(message, policy) is not Verdict.ADMITTED):
            return
        place = (message.guild_id, message.channel_id)
        channel = self._channels.get(place)
        if channel is None:
            channel = self._channels[place] = {}
            if len(self._channels) > CHANNELS:
                self._channels.popitem(last=False)
        else:
            self._channels.move_to_end(place)
        channel.setdefault(message.message_id, message)
        if len(channel) > self._length:
            del channel[next(iter(channel))]

    def follow(self, change: Change) -> None:
        match change:
            case MessageEdit():
                self._edit(change)
                self._keep_edit(change)
            case Deletion():
                channel = self._channels.get((change.guild_id, change.channel_id), {})
                for message_id in change.message_ids:
                    channel.pop(message_id, None)
                    self._edits.pop(message_id, None)
            case ChannelDeletion():
                self._closed[change.guild_id, change.channel_id] = True
                self._forget(change.guild_id, lambda said: change.channel_id in (said.channel_id, said.parent_id))

    def _is_gone(self, said: Message) -> bool:
        """Say whether a message's channel, or the one it belongs to, is deleted."""
        return any((said.guild_id, place) in self._closed for place in (said.channel_id, said.parent_id) if place)

    def _edit(self, edit: MessageEdit) -> None:
        channel = self._channels.get((edit.guild_id, edit.channel_id), {})
        known = channel.get(edit.message_id)
        if known is None or edit.edited_at is None or (known.edited_at and known.edited_at >= edit.edited_at):
            return
        channel[edit.message_id] = replace(
            known,
            text=edit.text,
            edited_at=edit.edited_at,
            attachments=edit.attachments,
            embeds=edit.embeds,
            poll=edit.poll,
            forwarded=edit.forwarded,
            stickers=edit.stickers,
        )

    def _keep_edit(self, edit: MessageEdit) -> None:
        policy, said, before = self._policies.known(edit.guild_id), _edited(edit), self._edits.get(edit.message_id)
        if said is None or self._is_gone(said):
            return
        if policy is not None and may_store(said, policy) is not Verdict.ADMITTED:
            return
        if before is None or (before.edited_at or said.sent_at) <= said.sent_at:
            self._edits[edit.message_id] = edit
            self._edits.move_to_end(edit.message_id)
        if len(self._edits) > EDITS:
            self._edits.popitem(last=False)

    def edits_of(self, messages: Iterable[Message]) -> list[MessageEdit]:
        """Find the last edits of these messages that are later than the copies."""
        found = ((self._edits.get(said.message_id), said) for said in messages) if self._edits else ()
        return [
            edit
            for edit, said in found
            if edit is not None and edit.guild_id == said.guild_id and edit.edited_at
            if said.edited_at is None or said.edited_at < edit.edited_at
        ]

    def forget_words(self) -> None:
        """Drop the edits: no page of history is on its way for so long."""
        self._edits.clear()

    def note_addressed(self, message_id: int) -> None:
        """Note that a message was said to us, and is no conversation."""
        self._addressed[message_id] = None
        if len(self._addressed) > self._length * CHANNELS:
            self._addressed.popitem(last=False)

    def apply_policy(self, guild_id: int, policy: Policy) -> None:
        """Drop what may not be stored any longer."""
        self._forget(guild_id, lambda said: may_store(said, policy) is not Verdict.ADMITTED)

    def forget_guild(self, guild_id: int) -> None:
        self._forget(guild_id, lambda _: True)

    def _forget(self, guild_id: int, is_meant: Callable[[Message], bool]) -> None:
        for place, channel in self._channels.items():
            if place[0] == guild_id:
                for message_id in [said.message_id for said in channel.values() if is_meant(said)]:
                    del channel[message_id]
        for edit in [edit for edit in self._edits.values() if edit.guild_id == guild_id]:
            if (said := _edited(edit)) is None or is_meant(said):
                del self._edits[edit.message_id]

    def language_last_spoken(self, message: Message) -> Language | None:
        """Detect the language the author last spoke in the same place, before this message; None: nothing told it."""
        policy = self._policies.known(message.guild_id)
        channel = self._channels.get((message.guild_id, message.channel_id), {})
        earlier = sorted((said for said in channel.items() if said[0] < message.message_id), reverse=True)
        spoken = (
            language_of(said.text)
            for _, said in earlier
            if said.author_id == message.author_id
            and policy is not None
            and may_store(said, policy) is Verdict.ADMITTED
        )
        return next((language for language in spoken if language is not None), None)

    def recent_conversation(
        self, audience: Audience, limit: int, before: int | None = None, at: datetime | None = None
    ) -> list[Message] | None:
        """Give the newest talk of the place itself, oldest first: neither bots nor what was said to us.

        `at` is the present, as for the log.

        None where it is not known what may be told, because the database has not been seen since the start.
        """
        policy = self._policies.known(audience.guild_id)
        if policy is None:
            return None
        channel = self._channels.get((audience.guild_id, audience.place_id), {})
        said = [
            message
            for message_id, message in sorted(channel.items())
            if (before is None or message_id < before)
            and message.author_kind is AuthorKind.PERSON
            and message_id not in self._addressed
            and may_store(message, policy) is Verdict.ADMITTED
        ]
        return audience.present(said[-limit:], at)


def _edited(edit: MessageEdit) -> Message | None:
    """Make a message of what an edit tells, sent at the latest when it was edited; None if nobody knows whose it is."""
    if edit.author_id is None or edit.edited_at is None:
        return None
    return Message(
        edit.guild_id,
        edit.channel_id,
        edit.message_id,
        edit.author_id,
        edit.author_kind,
        edit.text,
        edit.edited_at,
        parent_id=edit.parent_id,
        answers=edit.answers,
    )
