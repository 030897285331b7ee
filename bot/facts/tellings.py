"""Reads what somebody wants remembered or forgotten, in each way to say so: a message, a command, a menu.

By command nobody else sees the reply, and what is told lives where it was told. It is the way in where Discord does not
hand out what messages say.
"""

import logging
import re
from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.connection import TROUBLE
from bot.replies.buttons import Unfinished
from bot.replies.compose import Composer, PrivateReplies
from bot.replies.draft import Draft, Sent, SpeakingPlaces, may_write
from bot.replies.interactions import Interaction, answer
from bot.replies.send import ReceiptWriter, posting_in, send_with_receipt
from bot.settings import BotOptions
from bot.translate import AddressCheck, to_message
from bot.words import Phrase, Slash, Voice, described
from memory.commands.addressing import Addressed
from memory.core.values import AuthorKind, Intent, Message, Question, Rank, RememberRequest, Traits
from memory.facts.statement import words_to_forget, words_to_keep
from memory.health import HealthReporter
from memory.manager import MemoryManager
from memory.places.view import Audience

logger = logging.getLogger(__name__)

REMEMBER, FORGET = Intent.REMEMBER, Intent.FORGET
LONGEST_TEXT, LONGEST_TO_FORGET = 2_000, 1_000
THIS = "this"
# People go on with the sentence that the name of the command begins.
_THAT = re.compile(r"^\s*(?:that|dass|daß|que|что)\b[\s,:]+(?=\S)", re.IGNORECASE)


def telling_in(
    stored: Message, addressed: Addressed, about: Message | None, *, rank: Rank, is_done: bool = False
) -> RememberRequest:
    """Make a request of a message, `about` being the one that it replies to."""
    return RememberRequest(
        guild_id=stored.guild_id,
        channel_id=stored.channel_id,
        message_id=stored.message_id,
        teller_id=stored.author_id,
        body=_body(addressed, about),
        told_at=stored.sent_at,
        about=about,
        rank=rank,
        language=addressed.language,
        asks_first=addressed.is_guess,
        everywhere=addressed.everywhere,
        is_done=is_done,
    )


def telling_by(
    interaction: Interaction,
    text: str,
    *,
    read: Addressed | None = None,
    about: Message | None = None,
    everywhere: bool = False,
) -> RememberRequest:
    """Make a request of a command, as of now; `read` is how its words would be read in a channel."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise ValueError("what is to be remembered is told in a guild")
    # Some write the whole sentence all the same: "/remember Bot remember that …".
    whole = read if read is not None and read.intent in (Intent.REMEMBER, Intent.FORGET) else None
    return RememberRequest(
        guild_id=interaction.guild_id,
        channel_id=interaction.channel_id,
        message_id=interaction.id,
        teller_id=interaction.user.id,
        body=_THAT.sub("", text, count=1) if whole is None else whole.body,
        told_at=interaction.created_at,
        about=about,
        rank=rank_in(interaction),
        language=None if read is None else read.language,
        everywhere=everywhere or (whole is not None and whole.everywhere),
        by_command=True,
    )


def question_in(stored: Message, addressed: Addressed, about: Message | None, voice: Voice) -> Question:
    """Make a question of a message, `about` being the one that it replies to."""
    return Question(
        guild_id=stored.guild_id,
        channel_id=stored.channel_id,
        message_id=stored.message_id,
        asker_id=stored.author_id,
        text=addressed.body,
        asked_at=stored.sent_at,
        about=about,
        language=voice.language,
        has_files=bool(stored.attachments),
    )


def _body(addressed: Addressed, about: Message | None) -> str:
    """Take what follows the verb; where there is none, the sentence itself."""
    if not addressed.is_guess:
        return addressed.body
    if addressed.intent is Intent.FORGET:
        return words_to_forget(addressed.body)
    of_somebody = about is not None and about.author_kind is not AuthorKind.SELF
    return words_to_keep(addressed.body, answers_a_message=of_somebody)


def rank_in(interaction: Interaction) -> Rank:
    """Find the rank of whoever used a command: Discord says what they may there, also where roles are not known."""
    here = Rank.MANAGER if interaction.permissions.manage_guild else Rank.MEMBER
    return max(here, rank_of(interaction.user))


def rank_of(author: discord.User | discord.Member) -> Rank:
    """Find a rank by what somebody may on the whole guild: order in one channel gives no say in the memory of all."""
    if not isinstance(author, discord.Member):
        return Rank.MEMBER
    if author.id == author.guild.owner_id:
        return Rank.OWNER
    permissions = author.guild_permissions
    if permissions.manage_guild:
        return Rank.MANAGER
    return Rank.MODERATOR if permissions.manage_messages else Rank.MEMBER


class PrivateTellings:
    def __init__(
        self,
        memory: MemoryManager,
        composer: Composer,
        replies: PrivateReplies,
        options: BotOptions,
        part: HealthReporter,
    ) -> None:
        self._memory = memory
        self._composer = composer
        self._replies = replies
        self._address_check = AddressCheck(options.names)
        self._part = part
        self._speaking_places = SpeakingPlaces(memory)

    async def remember(
        self, interaction: Interaction, text: str, *, everywhere: bool = False, traits: Traits | None = None
    ) -> None:
        """Remember what somebody tells by command; `traits` make a memory of oneself of it."""
        read = self._address_check.in_command(text, interaction)
        telling = replace(telling_by(interaction, text, read=read, everywhere=everywhere), traits=traits)
        await self._carry_out(interaction, telling, REMEMBER, text)

    async def remember_this(self, interaction: Interaction, message: discord.Message) -> None:
        """Remember a message that somebody points at."""
        about = to_message(message, interaction.application_id)
        if about is None:
            await answer(interaction, self._replies.voice(interaction).say(Phrase.NOTHING_TO_REMEMBER))
            return
        await self._carry_out(interaction, telling_by(interaction, THIS, about=about), REMEMBER, THIS)

    async def forget(self, interaction: Interaction, text: str) -> None:
        telling = telling_by(interaction, text, read=self._address_check.in_command(text, interaction))
        await self._carry_out(interaction, telling, FORGET, text)

    async def go_on(self, interaction: Interaction, unfinished: Unfinished, text: str) -> None:
        """Go on with a telling whose teller has chosen whom they mean. It stands where the command stood."""
        read = self._address_check.in_command(text, interaction)
        telling = telling_by(interaction, text, read=read, everywhere=unfinished.everywhere)
        told_at = discord.utils.snowflake_time(unfinished.said_in)
        telling = replace(telling, message_id=unfinished.said_in, told_at=told_at, choices=unfinished.choices)
        await self._carry_out(interaction, telling, unfinished.intent, text)

    async def _carry_out(self, interaction: Interaction, telling: RememberRequest, intent: Intent, text: str) -> None:
        """Carry out a telling by command; `text` is what was said, in full."""
        theirs = self._replies.voice(interaction)
        voice = Voice(telling.language or theirs.language, theirs.bot_name)

        def readers() -> Audience:
            # What is told is told to the place. Whoever wants something forgotten may mean all that they can read.
            if intent is REMEMBER:
                return self._memory.places.audience_of(telling.guild_id, telling.channel_id)
            return self._replies.reader(interaction)

        async def work(audience: Audience) -> Draft:
            compose = self._composer.remembered if intent is REMEMBER else self._composer.forgotten
            return await compose(telling, audience, voice)

        logger.info("told in private", extra={"intent": intent.value, "channel_id": telling.channel_id})
        draft, sent = await self._replies.answer(
            interaction, work, reading=False, readers=readers, voice=voice, repeating=text
        )
        self._part.count("private replies")
        if draft.aloud is not None and sent is Sent.DELIVERED:
            await self._say_aloud(interaction, draft.aloud, telling, voice)

    async def _say_aloud(self, interaction: Interaction, draft: Draft, telling: RememberRequest, voice: Voice) -> None:
        """Announce a telling where we and its teller may write, with a receipt: it goes when what it says does."""
        channel = interaction.channel
        if not isinstance(channel, discord.abc.Messageable):
            return
        parent_id = channel.parent_id if isinstance(channel, discord.Thread) else None
        if not may_write(channel, interaction.permissions) or not await self._speaking_places.include(
            telling.guild_id, telling.channel_id, parent_id
        ):
            return
        paper = ReceiptWriter(self._memory.receipts, telling.message_id, telling.teller_id, voice)
        post = posting_in(channel, telling.message_id)

        def readers() -> Audience:
            return self._memory.places.audience_of(telling.guild_id, telling.channel_id)

        try:
            await send_with_receipt(paper, draft, readers(), post, voice, lambda: draft.suits(readers()))
        except TROUBLE:
            logger.exception("could not tell a member that they were spoken of")


def remember_command(tellings: PrivateTellings) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="remember", description=described(Slash.REMEMBER))
    @app_commands.describe(
        fact=described(Slash.REMEMBER_FACT),
        about=described(Slash.REMEMBER_ABOUT),
        everyone=described(Slash.REMEMBER_EVERYONE),
    )
    @app_commands.guild_only()
    async def remember(
        interaction: Interaction,
        fact: app_commands.Range[str, 1, LONGEST_TEXT],
        about: discord.Member | discord.User | None = None,
        everyone: bool = False,
    ) -> None:
        text = fact if about is None else f"about <@{about.id}>: {fact}"
        await tellings.remember(interaction, text, everywhere=everyone)

    return remember


def forget_command(tellings: PrivateTellings) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="forget", description=described(Slash.FORGET))
    @app_commands.describe(fact=described(Slash.FORGET_FACT))
    @app_commands.guild_only()
    async def forget(interaction: Interaction, fact: app_commands.Range[str, 1, LONGEST_TO_FORGET]) -> None:
        await tellings.forget(interaction, fact)

    return forget
