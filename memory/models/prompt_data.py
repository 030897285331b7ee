"""Makes people's words safe to stand inside ours: they ping nobody and cannot break out of their quotation marks."""

import html
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from types import MappingProxyType

from ai_clients.errors import BadReply
from memory.core.links import with_channel_mentions
from memory.core.values import Member, Message
from memory.language.detect import Language
from memory.language.own_words import own_words_in
from memory.language.sensitive import is_sensitive
from memory.language.sentences import Joined, sentences_of
from memory.language.stems import WordForms, topics
from memory.language.text import is_invisible, shorten
from memory.language.wording import SentenceKey, wording

_KEPT = re.compile(r"(https?://[^\s<>]+|<@!?\d+>|<#\d+>|<a?:\w+:\d+>)")
_ROLE = re.compile(r"<@&\d+>")
_CALLED = re.compile(r"<@[&!]?\d+>")
_CALL = re.compile(r"@(everyone|here)", re.IGNORECASE)
_MARKUP = re.compile(r"([\\`*\[\]]|~~|\|\||__|(?<!\w)_|_(?!\w))")


def one_line(text: str, limit: int) -> str:
    """Put somebody's words into one line of ours, shortened at the end of a word."""
    kept = _KEPT.split(shorten(_calling_nobody(" ".join(_without(text, _turns_direction).split())), limit))
    return "".join(part if number % 2 else _MARKUP.sub(r"\\\1", part) for number, part in enumerate(kept))


def quoted(text: str) -> str:
    """Put somebody's words between marks that they cannot close."""
    return f"“{calmed(text)}”"


def calmed(text: str) -> str:
    """Clean somebody's words so that nothing is hidden in them; they call nobody."""
    return _calling_nobody(_without(text, _hides))


def _calling_nobody(text: str) -> str:
    # A zero-width space keeps the look and takes the effect.
    return _CALL.sub("@\u200b\\1", _ROLE.sub("@role", text)).replace("“", '"').replace("”", '"')


def statement_line(text: str, limit: int) -> str:
    """Write a statement of the ledger as one line of ours; own words stand in marks that nothing inside can close."""
    own = own_words_in(text)
    return one_line(text, limit) if own is None else f"“{one_line(own.words, limit)}” – {own.speaker}"


def as_data(text: str, limit: int) -> str:
    """Write somebody's words as data of a prompt: one line, nothing hidden, no tag, no attribute that ends early."""
    return html.escape(shorten(" ".join(_without(text, _hides).split()), limit))


def as_text(text: str, limit: int) -> str:
    """Escape text between two tags, where quotation marks end nothing: an apostrophe escaped costs five tokens."""
    return html.escape(shorten(" ".join(_without(text, _hides).split()), limit), quote=False)


def written_at(moment: datetime, zone: tzinfo) -> str:
    """Write a moment by a guild's clock, as prompts have it."""
    return f"{moment.astimezone(zone):%A %Y-%m-%d %H:%M}"


def calm(text: str) -> str:
    """Clean a model's words: they call nobody, hide nothing and turn nothing around; their lines and markup stay."""
    visible = _without(html.unescape(text), _hides)
    return _CALL.sub("@\u200b\\1", _CALLED.sub("@…", visible)).strip()


def _without(text: str, is_unwanted: Callable[[str], bool]) -> str:
    """Remove unwanted characters; of the few different ones each is judged once, and plain ones not at all."""
    others = () if text.isascii() else (character for character in set(text) if character > "\x7f")
    unwanted = [character for character in others if is_unwanted(character)]
    return text.translate(dict.fromkeys(map(ord, unwanted))) if unwanted else text


def _hides(character: str) -> bool:
    """Say whether a character is unseen, and not one of those that join letters and emoji."""
    return is_invisible(character) and character not in "\u200c\u200d\ufe0e\ufe0f"


def _turns_direction(character: str) -> bool:
    """Say whether a character would turn the rest of our line around."""
    return is_invisible(character) and character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


# People in the data of a prompt: by the names they go by today, each with the id that tells two of one name apart.


NAME_LIMIT = 40
_PERSON = re.compile(r"<@!?(\d{1,20})>")
_CHANNEL = re.compile(r"<#(\d{1,20})>")
_EMOJI = re.compile(r"<a?:(\w{2,32}):\d+>")
SOMEONE = "someone"
NO_CHANNELS: Mapping[int, str] = MappingProxyType({})


class Bridge(SentenceKey):
    """Words how a speaker behind a webhook is called, so that nobody takes them for a member."""


def author_line(message: Message, language: Language) -> str:
    """Name who said it in a line of ours: a mention of the member, or the name a speaker behind a webhook bears."""
    if message.speaker is None:
        return f"<@{message.author_id}>"
    return wording(language, Bridge.SPEAKER, name=one_line(message.speaker, NAME_LIMIT) or SOMEONE)


def speaker_name(message: Message, language: Language) -> str | None:
    """Name a speaker behind a webhook in plain text, for a page; None for members."""
    if message.speaker is None:
        return None
    name = shorten(" ".join(_without(message.speaker, _hides).split()), NAME_LIMIT) or SOMEONE
    return wording(language, Bridge.SPEAKER, name=name)


def speaker_of(message: Message) -> str | None:
    """Name a speaker behind a webhook as prompts do; None for members."""
    if message.speaker is None:
        return None
    return f"{as_data(_LOOKS_NUMBERED.sub('@ ', message.speaker), NAME_LIMIT) or SOMEONE} (via bridge)"


def name_of(user_id: int, names: Mapping[int, str]) -> str:
    return as_data(names.get(user_id, SOMEONE), NAME_LIMIT) or SOMEONE


def words_as_data(text: str, names: Mapping[int, str], limit: int, channels: Mapping[int, str] = NO_CHANNELS) -> str:
    """Write somebody's words in one line, escaped, with mentions shown as people, roles and channels; `channels` are
    those whose names everyone may know who reads what comes of it."""
    shown = _PERSON.sub(lambda mention: _mentioned(int(mention[1]), names), text)
    shown = _EMOJI.sub(r":\1:", _channels_shown(_ROLE.sub("@role", shown), channels))
    return as_data(shown, limit)


def _channels_shown(text: str, channels: Mapping[int, str]) -> str:
    text = with_channel_mentions(text)
    return _CHANNEL.sub(lambda mention: f"#{shorten(channels.get(int(mention[1]), 'channel'), NAME_LIMIT)}", text)


def _mentioned(user_id: int, names: Mapping[int, str]) -> str:
    # Two members may call themselves alike, and one of them on purpose.
    return f"@{names[user_id]} ({user_id})" if user_id in names else f"@{SOMEONE}"


# People in a prompt whose reply is kept: each has a short number there, and the reply can name nobody else.
#
# Ids of Discord are long, and models get them wrong. What somebody types that looks like such a number is taken apart.


_MENTION = re.compile(r"<@!?(\d{1,20})>")
_LOOKS_NUMBERED = re.compile(r"@(?=P\d)", re.IGNORECASE)
_NUMBERED = re.compile(r"@P(\d{1,4})\b")
LONGEST_NAME = 60


class NumberedPeople:
    def __init__(self, members: Iterable[Member], channels: Mapping[int, str] | None = None) -> None:
        """Number the members. `channels`: names the reply's reader may know; None: mentions of channels stay."""
        self._channels = channels
        self._members: Sequence[Member] = tuple(dict.fromkeys(members))
        self._numbers = {member.user_id: number for number, member in enumerate(self._members, start=1)}

    def lines(self) -> list[str]:
        """List who is who for the data of a prompt."""
        return [
            f'<person n="@P{number}" name="{as_data(member.display_name, LONGEST_NAME)}"{_also(member)}/>'
            for number, member in enumerate(self._members, start=1)
        ]

    def called(self, user_id: int) -> str:
        return f"@P{self._numbers[user_id]}" if user_id in self._numbers else SOMEONE

    def as_data(self, text: str, limit: int) -> str:
        """Write somebody's words as data, with mentions as numbers."""
        shown = text if self._channels is None else _channels_shown(text, self._channels)
        plain = _LOOKS_NUMBERED.sub("@ ", shown)
        return as_data(_MENTION.sub(lambda mention: self.called(int(mention[1])), plain), limit)

    def channel(self, channel_id: int) -> str:
        return self.as_data(f"<#{channel_id}>", NAME_LIMIT + 1)

    def with_ids(self, text: str) -> str:
        """Put ids for the people in a reply again."""
        if _MENTION.search(text):
            raise BadReply("a person was named in a way that nobody was given")
        return _NUMBERED.sub(lambda found: f"<@{self.member(int(found[1])).user_id}>", " ".join(text.split()))

    def member(self, number: int) -> Member:
        if not 0 < number <= len(self._members):
            raise BadReply("a person was named whom nobody was given")
        return self._members[number - 1]


def _also(member: Member) -> str:
    names = dict.fromkeys(name for name in (member.username, member.global_name, *member.aliases) if name)
    names.pop(member.display_name, None)
    return f' also="{as_data(", ".join(names), LONGEST_NAME * 2)}"' if names else ""


# What the languages are called in our rules, which are written in English.


NAMES = {
    Language.EN: "English",
    Language.DE: "German",
    Language.FR: "French",
    Language.ES: "Spanish",
    Language.RU: "Russian",
}


# A model's sentences before they are kept: no tags, links, calls, ids or rules in them, and none of them cut.


_LOOKED_AT = 8_000
"""Characters of a model's text. Nobody asked for more, and nobody will read it."""
_PASSES = 8
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<[#!/?:][^<>]*>")
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_LINK = re.compile(
    r"(?:(?<!\w)\w++://|www\.|discord\.gg/)(?:\[[^\s\[\]<>()]*\])?(?:[^\s<>()\[\]]*[^\s<>()\[\].,;:!?…])?",
    re.IGNORECASE,
)
"""A host may stand in brackets of its own."""
_BRACKETED_ID = re.compile(r"(?:(?<!\s)\s++)?+[(\[]\s*+(?:id:?+\s*+)?+(\d{1,20}+)\s*+[)\]]", re.IGNORECASE)
_LONG_NUMBER = re.compile(r"\d{15,}")
_SPACE_BEFORE = re.compile(r"(?<!\s)\s++([.,;:!?])")
_EMPTY_BRACKETS = re.compile(r"(?:(?<!\s)\s++)?+(?:\(\s*+\)|\[\s*+\])")
LONGEST_ECHO = 40
"""A line of our rules that is at least this long may not come back."""


def cleaned(text: str, limit: int, *, rules: str, ids: Collection[int] = (), sensitive: bool = False) -> str:
    """Clean a text to whole sentences up to the limit; empty where nothing usable is left.

    `ids` are those that stood in the prompt, and are taken out like all that look so. Unless `sensitive` is allowed,
    sentences that touch such a topic are left out.
    """
    joined = Joined(limit)
    echoes = [line for line in map(_plain, rules.splitlines()) if len(line) >= LONGEST_ECHO]
    for sentence in sentences_of(_at_rest(text[:_LOOKED_AT], ids)):
        if any(_plain(sentence.text) in echo for echo in echoes if len(sentence.text) >= LONGEST_ECHO):
            continue
        if (sensitive or not is_sensitive(sentence.text)) and any(map(str.isalpha, sentence.text)):
            joined.add(sentence.text)
    return joined.text


def _at_rest(text: str, ids: Collection[int]) -> str:
    """Clean until cleaning changes nothing: what is taken out may bring together what stood on both sides of it."""
    for _ in range(_PASSES):
        after = _once(text, ids)
        if after == text:
            return after
        text = after
    return ""


def _once(text: str, ids: Collection[int]) -> str:
    text = _TAG.sub(" ", calm(text))
    text = _LINK.sub("", _MARKDOWN_LINK.sub(r"\1", text))
    text = _BRACKETED_ID.sub(lambda found: "" if int(found[1]) in ids else found[0], text)
    text = _EMPTY_BRACKETS.sub("", _LONG_NUMBER.sub("", text))
    return calm(_SPACE_BEFORE.sub(r"\1", " ".join(text.split())))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


# Whether a model added something of its own to what it was given to put into other words.


SHARE_OF_NEW_WORDS = 0.25
"""Of the topics of a text. Other forms of a word are not always recognised as that word."""
FEW_WORDS = 1
"""So many may be new in a text of any length."""

_NUMBER = re.compile(r"\d+")
_MENTION_OF = re.compile(r"<@!?(\d+)>")
_LINK_TO = re.compile(r"(?:(?<!\w)\w++://|www\.|discord\.gg/|discord(?:app)?\.com/)\S*", re.IGNORECASE)
_INVENTED_MARKUP = re.compile(r"[<>`]|@everyone|@here", re.IGNORECASE)


def has_invented_link(text: str, given: str) -> bool:
    return any(link not in given for link in _LINK_TO.findall(text))


def is_invented(text: str, given: str) -> bool:
    """Say whether a text is invented: new links, numbers and people count at once; a few other words may be forms."""
    if has_invented_link(text, given):
        return True
    if not set(_MENTION_OF.findall(text)) <= set(_MENTION_OF.findall(given)):
        return True
    bare, known = _MENTION_OF.sub(" ", text), _MENTION_OF.sub(" ", given)
    if any(mark not in known for mark in _INVENTED_MARKUP.findall(bare)):
        return True
    if not set(_NUMBER.findall(bare)) <= set(_NUMBER.findall(known)):
        return True
    spoken, heard = topics(bare), WordForms(topics(known))
    new = sum(topic not in heard for topic in spoken)
    return new > max(FEW_WORDS, len(spoken) * SHARE_OF_NEW_WORDS)
