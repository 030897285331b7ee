"""`/context`: what is in view of a channel when the bot answers there, and all that it knows of it."""

from discord import app_commands

from bot.channels.pages import analysis_page, place_of, told, views_page
from bot.channels.summary_command import PlaceCommand
from bot.replies.draft import Draft
from bot.replies.interactions import Interaction, answer
from bot.words.commands import described
from bot.words.keys import Notice, Slash
from memory.models.usage import Requester
from memory.places.view import Audience

LONGEST_ABOUT = 200

About = app_commands.Range[str, 1, LONGEST_ABOUT]


class ContextCommand(PlaceCommand):
    async def show(self, interaction: Interaction) -> None:
        async def work(audience: Audience) -> Draft:
            views = await self._memory.channels.views(audience)
            return Draft(views_page(views, audience, self._voice(interaction)), frozenset((audience.place_id,)))

        await self._answer(interaction, work)

    async def history(self, interaction: Interaction) -> None:
        async def work(audience: Audience) -> Draft:
            voice = self._voice(interaction)
            if not (await self._memory.channels.status(audience)).rules.is_on:
                return Draft(voice.say(Notice.SUMMARY_IS_OFF))
            text = await self._memory.channels.history(audience, Requester(interaction.user.id, interaction.id))
            if text.summaries:
                return await self._summary(interaction, audience, text.summaries[0])
            if text.extract is None:
                return Draft(voice.say(Notice.CONTEXT_NOTHING, channel=place_of(audience)))
            quoted = told(text.extract.text, text.extract.cites, audience)
            heading = voice.say(Notice.SUMMARY_EXTRACT, channel=place_of(audience))
            return Draft(f"{heading}\n{quoted}", frozenset((audience.place_id,)))

        await self._answer(interaction, work)

    async def analyze(self, interaction: Interaction, about: str | None) -> None:
        async def work(audience: Audience) -> Draft:
            found = await self._memory.channels.analyze(audience, about)
            words = analysis_page(found, about, audience, self._voice(interaction))
            return Draft(words, frozenset((audience.place_id,)))

        await self._answer(interaction, work)

    async def clear(self, interaction: Interaction) -> None:
        """Discord says what they may in this very channel."""
        voice = self._voice(interaction)
        if not interaction.permissions.manage_messages:
            await answer(interaction, voice.say(Notice.CONTEXT_ONLY_MODERATORS))
            return

        async def work(audience: Audience) -> Draft:
            await self._memory.channels.restart(audience)
            return Draft(voice.say(Notice.CONTEXT_CLEARED))

        await self._answer(interaction, work, reading=False)


class ContextCommands(app_commands.Group):
    def __init__(self, command: ContextCommand) -> None:
        super().__init__(name="context", description=described(Slash.CONTEXT), guild_only=True)
        self._command = command

    @app_commands.command(name="show", description=described(Slash.CONTEXT_SHOW))
    async def show(self, interaction: Interaction) -> None:
        await self._command.show(interaction)

    @app_commands.command(name="history", description=described(Slash.CONTEXT_HISTORY))
    async def history(self, interaction: Interaction) -> None:
        await self._command.history(interaction)

    @app_commands.command(name="analyze", description=described(Slash.CONTEXT_ANALYZE))
    @app_commands.describe(about=described(Slash.CONTEXT_ANALYZE_ABOUT))
    async def analyze(self, interaction: Interaction, about: About | None = None) -> None:
        await self._command.analyze(interaction, about)

    @app_commands.command(name="clear", description=described(Slash.CONTEXT_CLEAR))
    async def clear(self, interaction: Interaction) -> None:
        await self._command.clear(interaction)
