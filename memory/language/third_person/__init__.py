"""Puts what a person says of themselves into the third person, where that can be done right without a model.

"I like pizza" told by 7 becomes "<@7> likes pizza". Each language has a module that either converts a sentence for
certain or declines; what is declined stays as it was said, as a quotation of its speaker. A sentence without first or
second person is left as it is.
"""

from collections.abc import Callable

from memory.language.detect import Language, is_foreign, language_of
from memory.language.third_person import english, others
from memory.language.third_person.sentence import has_bare_subject, quote, speaks_in_person, unfit_to_convert

_CONVERTERS: dict[Language, Callable[[str, str], str | None]] = {
    Language.EN: english.convert,
    Language.DE: others.convert_german,
    Language.FR: others.convert_french,
    Language.ES: others.convert_spanish,
    Language.RU: others.convert_russian,
}


def in_third_person(text: str, speaker_id: int, language: Language | None = None) -> str:
    """The same statement with its speaker as `<@id>`; `language` is a guess that the words may overrule."""
    speaker = f"<@{speaker_id}>"
    spoken = None if is_foreign(text) else language_of(text, language)
    if spoken is None:
        personal = any(speaks_in_person(text, possible) for possible in Language)
        return quote(text, speaker, Language.EN) if personal else text
    if not speaks_in_person(text, spoken) and not has_bare_subject(text):
        return text
    converted = None if unfit_to_convert(text) else _CONVERTERS[spoken](text, speaker)
    if converted is None or speaker not in converted:
        return quote(text, speaker, spoken)
    if speaks_in_person(converted, spoken) or has_bare_subject(converted):
        return quote(text, speaker, spoken)
    return converted
