"""Takes verdicts: "That was wrong" in the menu of an answer, with a line of what is right; and 👍 or 👎 under it.

Where the answer cites facts, each can be opened, for those who may put it right; and what somebody wrote can be
remembered by one press, as if they had told it.
"""

import logging

import discord

from bot.facts.memory_pages import ChooseFact, Chosen, Sheet
from bot.replies.buttons import Form, FormField, ReplyButton, ThisMember, Unfinished, filled_in
from bot.replies.compose import PrivateReplies
from bot.replies.draft import Draft
from bot.replies.interactions import Interaction, answer
from bot.words import Notice, Phrase
from memory.core.provenance import Explanation, UsedFact
from memory.core.values import Intent
from memory.db.errors import StoreError
from memory.facts.matching import attributed
from memory.manager import MemoryManager
from memory.models.prompt_data import statement_line
from memory.places.view import Audience
from memory.receipts.verdicts import LONGEST_CORRECTION

logger = logging.getLogger(__name__)

WRONG_FORM = "wrong"
FIELD = "right"
MOST_FACTS = 3
LONGEST_WORDS = 200
SIGNS = {"👍": True, "👎": False}
"""Whatever the colour of the hand."""


class WrongForm(Form):
    """Asks for a line of what is right, which may stay empty."""


class VerdictCommand:
    def __init__(self, memory: MemoryManager, replies: PrivateReplies) -> None:
        self._memory = memory
        self._replies = replies

    async def reacted(self, event: discord.RawReactionActionEvent, me: discord.ClientUser) -> None:
        """Note a thumb under a message of ours, or that it was taken away. Nothing is said to it."""
        is_right = SIGNS.get(event.emoji.name[:1])
        if event.guild_id is None or is_right is None or event.user_id == me.id:
            return
        given, is_added = (event.guild_id, event.message_id, event.user_id), event.event_type == "REACTION_ADD"
        if is_added and (event.message_author_id != me.id or (event.member is not None and event.member.bot)):
            return
        try:
            if is_added:
                await self._memory.log.settled(event.guild_id)
                await self._memory.verdicts.give(*given, is_right=is_right)
            else:
                await self._memory.verdicts.withdraw(*given, is_right=is_right)
        except StoreError as error:
            logger.info("could not note a verdict on an answer", extra={"reason": type(error).__name__})

    async def ask(self, interaction: Interaction, message: discord.Message) -> None:
        """Show the form that asks what is right to whoever chose it in the menu of a message."""
        voice = self._replies.voice(interaction)
        if interaction.client.user is None or message.author.id != interaction.client.user.id:
            await answer(interaction, voice.say(Notice.WRONG_NOT_OURS))
            return
        reply_to = 0 if message.reference is None else message.reference.message_id or 0
        line: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
            custom_id=FIELD, style=discord.TextStyle.paragraph, max_length=LONGEST_CORRECTION, required=False
        )
        fields: dict[str, FormField] = {voice.say(Notice.WRONG_FIELD): line}
        form = WrongForm(voice.say(Notice.WRONG_TITLE), WRONG_FORM, f"{message.id:x}", f"{reply_to:x}", fields=fields)
        await interaction.response.send_modal(form)

    async def read_form(self, interaction: Interaction, message: str, reply_to: str) -> None:
        """Note the verdict, and offer what can be done about what the answer rests on."""
        message_id, question_id = int(message, 16), int(reply_to, 16)
        line = " ".join(filled_in(interaction).get(FIELD, "").split())
        voice = self._replies.voice(interaction)

        async def work(reader: Audience) -> Draft:
            given = reader.guild_id, message_id, interaction.user.id
            await self._memory.log.settled(reader.guild_id)
            if not await self._memory.verdicts.give(*given, is_right=False, correction=line):
                return Draft(voice.say(Notice.WRONG_NOT_KEPT))
            words, buttons = [voice.say(Notice.WRONG_NOTED)], list[ReplyButton]()
            if line:
                wanted = Unfinished(Intent.REMEMBER, interaction.user.id, interaction.id, by_command=True)
                words.append(voice.say(Notice.WRONG_REMEMBER))
                buttons.append(ThisMember(*wanted.values, label=voice.say(Phrase.REMEMBER_THIS)))
            if cited := _cited(await self._memory.receipts.explain(reader, message_id, question_id or None)):
                words.append(voice.say(Notice.WRONG_FACTS))
            for number, fact in enumerate((one.fact for one in cited), start=1):
                told = attributed(fact, voice.language, statement_line(fact.text, LONGEST_WORDS))
                words.append(f"**{number}.** {told}")
                chosen = Chosen(Sheet(fact.subject_id or 0), fact.message_id, fact.thing)
                buttons.append(ChooseFact(*chosen.values, label=str(number)))
            return Draft("\n".join(words), reader.sources, buttons=tuple(buttons), repeats_words=bool(line))

        await self._replies.answer(interaction, work, reading=False, repeating=line)


def _cited(found: object) -> list[UsedFact]:
    """List facts about somebody that the answer quotes; those of the server itself are told and forgotten in words."""
    facts = found.facts if isinstance(found, Explanation) else ()
    return [one for one in facts if one.is_quoted and one.fact.subject_id is not None][:MOST_FACTS]
