"""Says what our slash commands do, in the language of whoever looks at them. Their names are English for all."""

import discord
from discord import app_commands

from bot.words.keys import Slash
from bot.words.voice import language_of_locale
from memory.core.values import Category
from memory.language.detect import Language
from memory.language.wording import wording
from memory.policy.setting_fields import Setting


def described(key: Slash | Category | Setting) -> app_commands.locale_str:
    return app_commands.locale_str(wording(Language.EN, key), key=key)


_LANGUAGES = {
    locale: language for locale in discord.Locale if (language := language_of_locale(str(locale))) is not Language.EN
}
"""Discord falls back on English, which needs no translation."""


class CommandTranslator(app_commands.Translator):
    """It is asked for every text in every locale, each time Innkeeper starts."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, _context: app_commands.TranslationContextTypes
    ) -> str | None:
        key, language = string.extras.get("key"), _LANGUAGES.get(locale)
        return wording(language, key) if key is not None and language is not None else None
