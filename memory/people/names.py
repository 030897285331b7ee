"""Finds who is meant in a text: by mention, by any name a member goes by today, or by one that facts give them.

Names compare without case and accents, as whole words, the longest first. Of a name of several words its beginning
counts as well ("Priya" for "Priya N."), unless somebody goes by it; where it may be any word, as in "Coffee Addict",
only if it is written as a name. A name is looked up by its key, the folded
words of it, so that a store can fetch the few members a text may mean instead of everyone.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace

from memory.core.values import Choice, Member, fingerprint
from memory.language.detect import ALL_STOP_WORDS, Language, language_of, word_set
from memory.language.own_words import ANY_FIRST_PERSON, FIRST_PERSON, with_speaker
from memory.language.text import Word, fold, is_word_character, plain_words, words_in
from memory.language.word_caches import word_cache

LONGEST_NAME = 6
"""Words of a name that are compared. Discord's names have 32 characters; longer ones are known by their beginning."""

MENTION = re.compile(r"<@!?(\d{1,20})>")
_ROOM = 2**63

# Spanish leaves "I" to the verb, and Russian at times, or to a case. Behind these words it is a verb, and no noun.
_I_BY_VERB = re.compile(
    r"\b(?:donde|que|cuando|cuanto|anos|como|quien|cual|edad)\s++(?:no\s++)?+(?:me\s++)?+"
    r"(?:vivo|soy|estoy|tengo|naci|llamo|cumplo|hablo|bebo|conduzco|prefiero)\b"
    r"|\b(?:donde|cuando)\s++(?:trabajo|estudio|juego)\b"
    r"|\b(?:где|когда|кем)\s++(?:живу|работаю|учусь)\b|\bсколько\s++мне\s++(?:лет|год)|\bкак\s++меня\s++зовут\b"
)
_BETWEEN_PEOPLE = word_set(
    "and also about of on und sowie auch uber ueber von et aussi sur de d y e tambien sobre acerca"
    " и а также о об обо про"
)


_ARTICLES = word_set(
    "the a an my your his our their this that der die das den dem des ein eine einen einem einer mein meine unser le la"
    " les un une mon ma ton ta notre el los las una mi tu su"
)
_LONGEST_ARTICLE = 8


@dataclass(frozen=True, slots=True)
class Reference:
    """Marks a stretch of text that means somebody: one member, several possible ones, or the speaker."""

    start: int
    end: int
    typed: str
    candidates: tuple[Member, ...]
    is_mention: bool = False
    is_speaker: bool = False

    @property
    def member(self) -> Member | None:
        return self.candidates[0] if len(self.candidates) == 1 else None


@word_cache(4_096)
def name_key(name: str) -> str:
    """Make the key that a name is looked up by; empty for a name without letters and digits."""
    return " ".join(word.text for word in words_in(name)[:LONGEST_NAME])


def keys_of(member: Member) -> frozenset[str]:
    if member.is_unnamed:
        return frozenset()
    names = (member.username, member.global_name, member.nickname)
    return frozenset(name_key(name) for name in names if name) - {""}


def beginnings_of(member: Member) -> frozenset[str]:
    """Make keys of what a member's names of several words begin with, as far as those are no words for anybody."""
    begun = (words[:length] for words in _words_of_names(member) for length in range(1, len(words)))
    return frozenset(
        " ".join(words) for words in begun if len(words[0]) >= SHORTEST_PART and not _FOR_ANYBODY.issuperset(words)
    )


def _words_of_names(member: Member) -> list[list[str]]:
    shown = (member.global_name, member.nickname)
    return [] if member.is_unnamed else [name_key(name).split() for name in shown if name]


def spoken_keys(text: str) -> frozenset[str]:
    """Make every key that a name in this text could have."""
    words = [word.text for word in words_in(_without_mentions(text))]
    lengths = range(1, LONGEST_NAME + 1)
    return frozenset(" ".join(words[i : i + n]) for n in lengths for i in range(len(words) - n + 1))


def names_one_of(keys: Iterable[str], text: str) -> bool:
    """Say whether a name with one of these keys stands in the text: of the many keys it could have, none is made."""
    words = f" {' '.join(plain_words(_without_mentions(text)))} "
    return any(f" {key} " in words for key in keys)


def mentioned_ids(text: str) -> list[int]:
    """List the ids of the people mentioned, in order, each once."""
    ids = (int(found[1]) for found in MENTION.finditer(text))
    return list(dict.fromkeys(user_id for user_id in ids if 0 < user_id < _ROOM))


def with_choices(text: str, choices: Sequence[Choice]) -> str:
    """Put mentions into the text in the place of names for which somebody was chosen."""
    for choice in choices:
        if not choice.is_nobody:
            text = _mentioning(text, choice)
    return text


def with_strangers(members: Iterable[Member], guild_id: int, user_ids: Iterable[int]) -> list[Member]:
    """Add to the members those of the ids that are none of them: somebody who left, or whom we have not met yet.

    An id is identity enough to be told about; a stranger's only name is the id.
    """
    known = {member.user_id: member for member in members}
    for user_id in user_ids:
        known.setdefault(user_id, Member(guild_id, user_id, username=str(user_id)))
    return list(known.values())


def told_apart(members: Iterable[Member]) -> dict[int, str]:
    """Name members by id; those who share a name with another of them, by their handles too."""
    known = list(members)
    shared = Counter(name_key(member.display_name) for member in known)
    return {
        member.user_id: member.display_name
        if member.is_unnamed or shared[name_key(member.display_name)] == 1
        else f"{member.display_name} (@{member.username})"
        for member in known
    }


def other_names(members: Iterable[Member]) -> dict[int, str]:
    """List by id what members are called beside the names they go by: handles, global names and aliases."""
    others: dict[int, str] = {}
    for member in members:
        shown = name_key(member.display_name)
        names = [name for name in (member.global_name, *member.aliases) if name and name_key(name) != shown]
        if name_key(member.username) != shown:
            names.append(f"@{member.username}")
        if names and not member.is_unnamed:
            others[member.user_id] = ", ".join(dict.fromkeys(names))
    return others


def people_in(
    text: str,
    members: Iterable[Member],
    *,
    speaker: Member | None = None,
    language: Language | None = None,
) -> list[Reference]:
    """Find everybody the text refers to, in order. `members` need to hold those whose keys or ids it speaks of.

    `language` is a guess for texts too short to tell theirs.
    """
    known = list(members)
    by_id = {member.user_id: member for member in known}
    found = [
        Reference(m.start(), m.end(), m.group(), (by_id[int(m[1])],), is_mention=True)
        for m in MENTION.finditer(text)
        if int(m[1]) in by_id
    ]
    blank = _without_mentions(text)
    words = words_in(blank)
    taken = _names(blank, words, _Called.of(known))
    found.extend(taken)
    if speaker is not None:
        covered = {place for reference in taken for place in range(reference.start, reference.end)}
        spoken = language_of(text, language)
        first_person = ANY_FIRST_PERSON | (FIRST_PERSON[spoken] if spoken else frozenset())
        found.extend(
            Reference(word.start, word.end, text[word.start : word.end], (speaker,), is_speaker=True)
            for word in words
            if word.text in first_person and word.start not in covered
        )
    return sorted(found, key=lambda reference: reference.start)


def people_listed(text: str, members: Iterable[Member], speaker: Member) -> list[Reference]:
    """Find everybody in a text that is nothing but a list of people, each once; nobody, if it says more than that.

    A name that is also a word means its member here: "me, Aylin and will".
    """
    known = list(members)
    blank = _without_mentions(text)
    words, called = words_in(blank), replace(_Called.of(known), as_names=frozenset())
    found = [reference for reference in people_in(text, known) if reference.is_mention]
    place = 0
    while place < len(words):
        word = words[place]
        name, length = _longest_name(blank, words[place : place + LONGEST_NAME], called, _BETWEEN_PEOPLE)
        if word.text in ANY_FIRST_PERSON or (name is None and is_speaker_alone(word.text)):
            found.append(Reference(word.start, word.end, text[word.start : word.end], (speaker,), is_speaker=True))
            length = 1
        elif name is not None:
            found.append(name)
        elif word.text not in _BETWEEN_PEOPLE:
            return []
        place += length
    return list({one.candidates: one for one in sorted(found, key=lambda one: -one.start)}.values())[::-1]


def speaks_by_verb(text: str) -> bool:
    """Say whether somebody asks about themselves without a word for "I": "¿dónde vivo?"."""
    return _I_BY_VERB.search(fold(text)) is not None


def unnamed_in(text: str, members: Iterable[Member], unnamed: Iterable[Member]) -> Member | None:
    """Find somebody of the `unnamed`, given with their names, whom the text speaks of all the same.

    `members` are the others it may mean: a name that one of them goes by as well is theirs.
    """
    taken = {reference.start for reference in people_in(text, members) if not reference.is_mention}
    spoken_of = (one for one in people_in(text, unnamed) if one.start not in taken)
    return next((one.candidates[0] for one in spoken_of), None)


def is_speaker_alone(text: str) -> bool:
    """Say whether the text is nothing but "me", in any of the languages."""
    words = [word.text for word in words_in(text)]
    everyone = frozenset().union(*FIRST_PERSON.values())
    return 1 <= len(words) <= 2 and all(word in everyone for word in words)


def _mentioning(text: str, choice: Choice) -> str:
    blank = _without_mentions(text)
    words = words_in(blank)
    pieces: list[str] = []
    done = place = 0
    while place < len(words):
        name = _words_of(choice, words[place : place + LONGEST_NAME])
        if name and _stands_alone(blank, name[0].start, name[-1].end):
            start = name[0].start - int(blank[: name[0].start].endswith("@"))
            pieces += [text[done:start], f"<@{choice.user_id}>"]
            done = name[-1].end
        place += len(name) or 1
    return "".join(pieces) + text[done:]


def _words_of(choice: Choice, words: Sequence[Word]) -> Sequence[Word]:
    """Find the words at the beginning that are the name which was asked about."""
    for length in range(len(words), 0, -1):
        if fingerprint(" ".join(word.text for word in words[:length])) == choice.name:
            return words[:length]
    return ()


def _names(text: str, words: Sequence[Word], called: "_Called") -> list[Reference]:
    found: list[Reference] = []
    opening = {key.partition(" ")[0] for key in called.by_key}
    place = 0
    while place < len(words):
        if words[place].text not in opening:
            place += 1
            continue
        reference, length = _longest_name(text, words[place : place + LONGEST_NAME], called)
        if reference is not None:
            found.append(reference)
        place += length
    return found


def _longest_name(
    text: str, words: Sequence[Word], called: "_Called", small: Set[str] = ALL_STOP_WORDS
) -> tuple[Reference | None, int]:
    for length in range(len(words), 0, -1):
        start, end = words[0].start, words[length - 1].end
        key = " ".join(word.text for word in words[:length])
        candidates = called.by_key.get(key, [])
        has_sign = start > 0 and text[start - 1] == "@"
        if not candidates or not _stands_alone(text, start, end):
            continue
        # "Will", "May" and "1" are names only where somebody is plainly called so.
        if length == 1 and (words[0].text in small or words[0].text.isdigit()) and not has_sign:
            continue
        if key in called.as_names and not has_sign and not _is_written_as_name(text, start):
            continue
        begin = start - 1 if has_sign else start
        return Reference(begin, end, text[start:end], tuple(candidates)), length
    return None, 1


def _is_written_as_name(text: str, start: int) -> bool:
    """Say whether a word has a capital letter, where its script has any, and no article before it."""
    before = words_in(text[max(start - _LONGEST_ARTICLE, 0) : start])[-1:]
    return not text[start].islower() and all(word.text not in _ARTICLES for word in before)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Say whether a name stands by itself: "anna" is not meant in "anna-maria" or "anna_b", but it is in "anna's"."""
    before, after = text[max(start - 2, 0) : start], text[end : end + 2]
    if before.endswith("_") or after.startswith("_"):
        return False
    joined_before = len(before) == 2 and before[1] in "-." and is_word_character(before[0])
    joined_after = len(after) == 2 and after[0] in "-." and is_word_character(after[1])
    return not joined_before and not joined_after


@dataclass(frozen=True, slots=True)
class _Called:
    """Finds who is called what."""

    by_key: dict[str, list[Member]]
    as_names: frozenset[str]
    """Keys that mean somebody only where they are written as names."""

    @classmethod
    def of(cls, members: Sequence[Member]) -> "_Called":
        by_key: dict[str, list[Member]] = {}
        # Other bots carry names like "Music" or "Dice": they are meant only when they are mentioned.
        people = [member for member in members if not member.is_bot]
        for member in people:
            for key in keys_of(member):
                by_key.setdefault(key, []).append(member)
        own = frozenset(by_key)
        plain: set[str] = set()
        for member in people:
            # What somebody goes by is theirs: nobody takes it from them by calling another so.
            begun = beginnings_of(member) - own
            for key in sorted({*member.aliases} - own | begun):
                by_key.setdefault(key, []).append(member)
            plain |= {*member.aliases} | {words[0] for words in _words_of_names(member) if _is_first_name(words)}
        return cls(by_key, frozenset(by_key) - own - plain)


def _is_first_name(words: Sequence[str]) -> bool:
    """Say whether nothing but initials follows the first word, as in "Priya N."."""
    return len(words) > 1 and all(len(word) == 1 for word in words[1:])


def _without_mentions(text: str) -> str:
    """Blank the mentions (whose ids would look like words); the text stays as long as before."""
    return re.sub(r"<[@#][!&]?\d+>|<a?:\w+:\d+>|https?://[^\s<>]+", lambda found: " " * len(found.group()), text)


# Names that a fact gives somebody: "gruzilkin is Sergey" lets "Sergey" mean gruzilkin.
#
# Only a plain statement of that kind counts. In German every noun is written like a name, so there "ist" gives none; in
# the other languages a name is told from a description by its capital letter, and from a nationality by a list.


SHORTEST_ALIAS = 2

_NAME = r"[“\"«„]?(?P<name>[^\W\d_][\w'’.-]*+(?: [^\W\d_][\w'’.-]*+){0,2}+)[”\"»“]?"
_CALLED = re.compile(
    r"<@(?P<who>\d{1,20})>(?:"
    r"(?:['’]s)? (?:real |first |full )?name is| (?:is|am|gets) (?:also |really )?(?:called|named|known as)| goe?s? by"
    r"| heiße?t?(?: eigentlich| auch)?| [sm]['’]appelle(?: aussi)?|(?: se)? llam[ao](?: también)?"
    r"| (?:на самом деле |также )?зовут"
    rf") {_NAME}\s*+[.!]*+",
    re.IGNORECASE,
)
_IS = re.compile(
    rf"<@(?P<who>\d{{1,20}})> (?:is|am|est|suis|es|soy|это|[—–-]|[—–-] это) (?:really |actually )?{_NAME}\s*+[.!]*+"
)

NO_NAMES = word_set(
    "african albanian algerian american arab argentinian asian australian austrian belgian brazilian british bulgarian"
    " canadian chilean chinese colombian croatian czech danish dutch egyptian english estonian european finnish french"
    " german greek hungarian icelandic indian indonesian iranian iraqi irish israeli italian japanese kenyan korean"
    " latvian lebanese lithuanian mexican moroccan nigerian norwegian pakistani peruvian polish portuguese romanian"
    " russian scottish serbian slovak slovenian spanish swedish swiss syrian thai tunisian turkish ukrainian"
    " vietnamese welsh catholic christian muslim jewish buddhist hindu protestant orthodox"
    " monday tuesday wednesday thursday friday saturday sunday january february march april may june july august"
    " september october november december online offline away back here great good happy sick ill tall vegan"
    " vegetarian admin moderator captain king queen dad mom santa god best"
)
ANYBODY = word_set(
    "bot admin mod boss chief sir madam miss lady king queen dad daddy mum mummy mom mommy grandpa grandma son sis"
    " sister brother bruh buddy pal homie fam folks people team gang girl boy guy kid baby babe honey darling"
    " dear love hero legend genius chef meister alter digga junge mädel mann frau papa mama oma opa bruder schwester"
    " schatz liebling kumpel kollege freund freundin chérie chéri mec gars fille garçon frère soeur maman pote ami amie"
    " patron jefe jefa tío tía chico chica hermano hermana amigo amiga cariño amor papá mamá mamita шеф босс брат"
    " mr mrs ms dr prof herr monsieur madame señor señora don doña big old little young saint"
    " братан сестра мама папа друг подруга дружище ребята чувак парень девушка милый милая дорогой дорогая"
)
_FOR_ANYBODY = ALL_STOP_WORDS | NO_NAMES | ANYBODY


def aliases_in(text: str) -> list[tuple[int, str]]:
    """List whom this statement calls what: ids, and names as they are looked up."""
    return [(user_id, name_key(name)) for user_id, name in names_in(text)]


def names_in(text: str) -> list[tuple[int, str]]:
    """List whom this statement calls what: ids, and names as they are written."""
    said = with_speaker(text.strip())
    found = _CALLED.fullmatch(said)
    if found is None:
        found = _IS.fullmatch(said)
        if found is None or not _looks_like_a_name(found["name"]):
            return []
    key = name_key(found["name"])
    if len(key) < SHORTEST_ALIAS or key in ALL_STOP_WORDS:
        return []
    return [(int(found["who"]), found["name"].strip(".'’-"))]


def _looks_like_a_name(name: str) -> bool:
    words = name.split()
    return all(word[0].isupper() for word in words) and not any(fold(word.strip(".'’-")) in NO_NAMES for word in words)


# Names that were typed only in part. A guess is only ever asked about, never taken for what was meant.


SHORTEST_PART, LONGEST = 3, 64
"""Letters of a part of a name; Discord's names have 32, and a few letters are written as several."""
MOST_WORDS = 2


def opening_names(text: str) -> list[tuple[str, str]]:
    """List what might be a part of a name at the beginning of a text, as a key and as typed, the longest first."""
    if MENTION.match(text.lstrip()):
        return []
    words = words_in(text)[:MOST_WORDS]
    if not words or words[0].text in ALL_STOP_WORDS:
        return []
    return [
        (" ".join(word.text for word in words[:length]), text[words[0].start : words[length - 1].end])
        for length in range(len(words), 0, -1)
    ]


# A text to be put in other words: people stand in it by their names, and are the same people in what comes back.


NameOf = Callable[[int], str | None]


def with_names(text: str, name_of: NameOf) -> str:
    """Write a text with people as they are called, where that says who is meant."""
    names = _called(text, name_of)
    return MENTION.sub(lambda found: names.get(int(found[1]), found[0]), text)


def with_ids(typed: str, text: str, name_of: NameOf) -> str:
    """Put ids for the people who were shown by their names in `text` into what was typed in its place."""
    shown = {name: user_id for user_id, name in _called(text, name_of).items()}
    if not shown:
        return typed
    longest_first = sorted(shown, key=len, reverse=True)
    pattern = "|".join(rf"{re.escape(name)}(?!\w)" for name in longest_first)
    return re.sub(pattern, lambda found: f"<@{shown[found[0]]}>", typed)


def _called(text: str, name_of: NameOf) -> dict[int, str]:
    """Find the names people in a text are called by, `@` included; two who are called alike stay numbers."""
    called = {int(found): name_of(int(found)) for found in MENTION.findall(text)}
    times = Counter(called.values())
    return {user_id: f"@{name}" for user_id, name in called.items() if name and times[name] == 1}
