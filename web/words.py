"""What the panel says, in the language that a browser asks for. The sentences stand in `memory/language/words`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from memory.language.detect import Language
from memory.language.wording import SentenceKey, worded, wording

MOST_LANGUAGES = 10
_MARKS = re.compile(r"^(-# |• )|\*\*|`", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Speech:
    language: Language

    def say(self, key: StrEnum, **values: object) -> str:
        return wording(self.language, key, **values)

    def bot(self, part: str, key: str, **values: object) -> str:
        """What the bot says as well, without the marks that only Discord makes something of."""
        return _MARKS.sub("", worded(self.language, part, key, **values))


def speech_for(headers: Mapping[str, str]) -> Speech:
    """In the first language of the browser that we speak; else in English."""
    wanted = headers.get("accept-language", "").split(",")[:MOST_LANGUAGES]
    for tag in wanted:
        code = tag.split(";")[0].strip().split("-")[0].lower()
        if code in set(Language):
            return Speech(Language(code))
    return Speech(Language.EN)


class Panel(SentenceKey):
    """What the panel says and the bot does not."""
