"""`/innkeeper`: how it is doing, what it is, what it uses, setting it up, and its leave."""

from discord import app_commands

from bot.commands.leaving import LeaveQuestion
from bot.commands.questions import Interaction, Questions
from bot.commands.saying import answer, voice_of
from bot.commands.setup.wizard import Wizard
from bot.commands.status import describe, describe_log
from bot.commands.usage import describe_usage
from bot.notices.notice import Notice
from memory.db.errors import StoreError
from memory.manager import MemoryManager
from memory.tasks import request

ABOUT = (
    "I remember this server: I keep the messages I can read, and the facts people tell me.\n"
    "• “{name} remember that @someone likes tea”, “{name} forget that …”, “{name} what do you know about @someone?”\n"
    "• Mention me, or answer one of my messages, to ask me anything; with `/ask` only you see the answer.\n"
    "• `/recall` finds what was said, in all that you can read; only you see what it finds.\n"
    "• `/privacy show`: what I hold on you; `/privacy export`: all of it as a file; `/privacy erase`: it all goes; "
    "`/privacy opt-out`: I store nothing you write, and nothing about you.\n"
    "What was said in a private channel is not repeated where others could read it. A message that is deleted on "
    "Discord is deleted here too. I write to nobody who did not call me, and ping nobody."
)


class InnkeeperCommands(app_commands.Group):
    def __init__(self, memory: MemoryManager, bot_name: str, questions: Questions) -> None:
        super().__init__(name="innkeeper", description="About Innkeeper itself", guild_only=True)
        self._memory = memory
        self._bot_name = bot_name
        self._questions = questions

    @app_commands.command(name="status", description="How Innkeeper is doing")
    async def status(self, interaction: Interaction) -> None:
        with request("status"):
            # Discord waits three seconds for an answer, and the database may take longer to say that it is away.
            await interaction.response.defer(ephemeral=True, thinking=True)
            manages = interaction.permissions.manage_guild
            alone = len(interaction.client.guilds) == 1
            report = await self._memory.health_report()
            said = [describe(report, interaction.guild_id if manages else None, with_counts=alone)]
            if manages:
                said += await self._about_here(interaction)
            await answer(interaction, "\n\n".join(said))

    @app_commands.command(name="about", description="What Innkeeper keeps, and how to talk to it")
    async def about(self, interaction: Interaction) -> None:
        with request("about"):
            await interaction.response.send_message(ABOUT.format(name=self._bot_name), ephemeral=True)

    @app_commands.command(name="usage", description="What models were used for here; for those who manage this server")
    async def usage(self, interaction: Interaction) -> None:
        with request("usage"):
            voice = voice_of(interaction, self._bot_name)
            if interaction.guild_id is None or not interaction.permissions.manage_guild:
                await answer(interaction, voice.say(Notice.USAGE_ONLY_MANAGERS))
                return
            await interaction.response.defer(ephemeral=True, thinking=True)
            try:
                words = describe_usage(await self._memory.usage(interaction.guild_id), voice)
            except StoreError:
                words = voice.say(Notice.USAGE_UNKNOWN)
            await answer(interaction, words)

    @app_commands.command(name="setup", description="Set Innkeeper up, step by step; for those who manage this server")
    async def setup(self, interaction: Interaction) -> None:
        with request("setup"):
            voice = voice_of(interaction, self._bot_name)
            if interaction.guild is None or not interaction.permissions.manage_guild:
                await answer(interaction, voice.say(Notice.ONLY_MANAGERS))
                return
            await interaction.response.defer(ephemeral=True, thinking=True)
            try:
                settings = await self._memory.settings(interaction.guild.id)
            except StoreError:
                await answer(interaction, voice.say(Notice.NOT_DONE))
                return
            wizard = Wizard(self._memory, self._questions, interaction.guild, settings, interaction, voice)
            await wizard.begin(interaction)

    @app_commands.command(
        name="leave", description="Erase everything of this server and leave it; for those who manage it"
    )
    async def leave(self, interaction: Interaction) -> None:
        with request("leave"):
            voice = voice_of(interaction, self._bot_name)
            if interaction.guild is None or not interaction.permissions.manage_guild:
                await answer(interaction, voice.say(Notice.ONLY_MANAGERS))
                return
            question = LeaveQuestion(self._memory, interaction.guild, self._questions, voice)
            await interaction.response.send_message(question.words, view=question, ephemeral=True)
            question.shown_by(interaction)

    async def _about_here(self, interaction: Interaction) -> list[str]:
        """What is kept of this server, and whether nobody has set us up in it. Unknown is left out."""
        if interaction.guild_id is None:
            return []
        try:
            said = [describe_log(await self._memory.guild_log(interaction.guild_id))]
            if (await self._memory.settings(interaction.guild_id)).set_up_at is None:
                said.append(voice_of(interaction, self._bot_name).say(Notice.SETUP_SUGGESTED))
        except StoreError:
            return []
        return said
