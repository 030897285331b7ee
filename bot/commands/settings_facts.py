"""`/settings facts`: whether members may tell about others, and what moderators may do about facts."""

from dataclasses import replace
from typing import Any

from discord import app_commands

from bot.commands.changing import Changing
from bot.commands.questions import Interaction
from memory.policy.authority import FactRules, ModeratorsMay
from memory.policy.settings import GuildSettings


def facts_command(changing: Changing) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="facts", description="Whether members may tell me about others, and what moderators may")
    @app_commands.describe(
        about_others="Keep and tell what members tell me about others",
        moderators_may="What moderators may do about facts that are not theirs",
    )
    @app_commands.rename(about_others="about-others", moderators_may="moderators-may")
    @app_commands.choices(
        about_others=[
            app_commands.Choice(name="Yes, as hearsay", value="yes"),
            app_commands.Choice(name="No: only what members say of themselves or confirm", value="no"),
        ],
        moderators_may=[
            app_commands.Choice(name="Nothing", value=ModeratorsMay.NOTHING.value),
            app_commands.Choice(name="Have them forgotten", value=ModeratorsMay.REMOVE.value),
        ],
    )
    async def facts(
        interaction: Interaction, about_others: str | None = None, moderators_may: str | None = None
    ) -> None:
        def change(settings: GuildSettings) -> GuildSettings:
            rules: FactRules = settings.facts
            if about_others is not None:
                rules = replace(rules, about_others=about_others == "yes")
            if moderators_may is not None:
                rules = replace(rules, moderators_may=ModeratorsMay(moderators_may))
            return replace(settings, facts=rules)

        await changing.change(interaction, change)

    return facts
