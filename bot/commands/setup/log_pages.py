"""The setup's steps about what is stored, of whom, and where the bot may speak."""

from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.commands.questions import Interaction
from bot.commands.setup.menus import (
    MOST_CHOSEN,
    SPEAKABLE,
    STORABLE,
    ChannelMenu,
    RoleMenu,
    TextMenu,
    after_choice,
    in_menu,
)
from bot.commands.setup.page import Item, Page
from bot.notices.notice import Notice
from memory.core.log_values import Consent, LogSettings


class _LogPage(Page):
    @property
    def log(self) -> LogSettings:
        return self.desk.draft.wanted.log

    @log.setter
    def log(self, log: LogSettings) -> None:
        self.desk.draft.wanted = replace(self.desk.draft.wanted, log=log)


class ExceptPage(_LogPage):
    """Channels and roles that are left out."""

    title = Notice.EXCEPT_TITLE

    def words(self) -> list[str]:
        said = [self.say(Notice.EXCEPT_WORDS)]
        if max(len(self._channels_here()), len(self._roles_here())) > MOST_CHOSEN:
            said.append(self.say(Notice.MENU_IS_FULL, shown=MOST_CHOSEN))
        return said

    def items(self) -> list[Item]:
        desk = self.desk
        return [
            ChannelMenu(
                desk.custom_id("no-channels"),
                self.say(Notice.EXCEPT_CHANNELS),
                STORABLE,
                in_menu(self._channels_here()),
                self._choose_channels,
                row=0,
            ),
            RoleMenu(
                desk.custom_id("no-roles"),
                self.say(Notice.EXCEPT_ROLES),
                in_menu(self._roles_here()),
                self._choose_roles,
                row=1,
            ),
        ]

    def leave_as_is(self) -> None:
        stored = self.desk.draft.stored.log
        self.log = replace(self.log, excluded_channels=stored.excluded_channels, excluded_roles=stored.excluded_roles)

    async def _choose_channels(self, interaction: Interaction, chosen: Sequence[str]) -> None:
        wanted = after_choice(self.log.excluded_channels, in_menu(self._channels_here()), chosen)
        self.log = replace(self.log, excluded_channels=wanted)
        await self.desk.redraw(interaction)

    async def _choose_roles(self, interaction: Interaction, chosen: Sequence[str]) -> None:
        wanted = after_choice(self.log.excluded_roles, in_menu(self._roles_here()), chosen)
        self.log = replace(self.log, excluded_roles=wanted)
        await self.desk.redraw(interaction)

    def _channels_here(self) -> list[int]:
        guild = self.desk.guild
        return [one for one in self.log.excluded_channels if guild.get_channel_or_thread(one) is not None]

    def _roles_here(self) -> list[int]:
        return [one for one in self.log.excluded_roles if self.desk.guild.get_role(one) is not None]


class SpeakPage(Page):
    """The channels the bot may write in."""

    title = Notice.SPEAK_TITLE

    def words(self) -> list[str]:
        said = [self.say(Notice.SPEAK_WORDS)]
        if len(self._here()) > MOST_CHOSEN:
            said.append(self.say(Notice.MENU_IS_FULL, shown=MOST_CHOSEN))
        return said

    def items(self) -> list[Item]:
        chosen = in_menu(self._here())
        placeholder = self.say(Notice.SPEAK_MENU)
        return [ChannelMenu(self.desk.custom_id("speak"), placeholder, SPEAKABLE, chosen, self._choose, row=0)]

    def leave_as_is(self) -> None:
        self._want(self.desk.draft.stored.speaks_in)

    async def _choose(self, interaction: Interaction, chosen: Sequence[str]) -> None:
        self._want(after_choice(self.desk.draft.wanted.speaks_in, in_menu(self._here()), chosen))
        await self.desk.redraw(interaction)

    def _here(self) -> list[int]:
        guild = self.desk.guild
        return [one for one in self.desk.draft.wanted.speaks_in if guild.get_channel(one) is not None]

    def _want(self, channels: frozenset[int]) -> None:
        self.desk.draft.wanted = replace(self.desk.draft.wanted, speaks_in=channels)


class ConsentPage(_LogPage):
    title = Notice.CONSENT_TITLE

    def words(self) -> list[str]:
        return [self.say(Notice.CONSENT_WORDS)]

    def items(self) -> list[Item]:
        choices = {
            Consent.OPT_OUT: (Notice.CONSENT_OUT, Notice.CONSENT_OUT_HINT),
            Consent.OPT_IN: (Notice.CONSENT_IN, Notice.CONSENT_IN_HINT),
        }
        options = [
            discord.SelectOption(
                label=self.say(label),
                value=consent.value,
                description=self.say(hint),
                default=consent is self.log.consent,
            )
            for consent, (label, hint) in choices.items()
        ]
        menu = TextMenu(self.desk.custom_id("consent"), self.say(Notice.CONSENT_MENU), options, self._choose, row=0)
        return [menu]

    def leave_as_is(self) -> None:
        self.log = replace(self.log, consent=self.desk.draft.stored.log.consent)

    async def _choose(self, interaction: Interaction, chosen: Sequence[str]) -> None:
        self.log = replace(self.log, consent=Consent(chosen[0]))
        await self.desk.redraw(interaction)
