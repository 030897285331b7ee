"""Mentions as the log keeps them. Exports show people by name; only ids are identity."""

from collections.abc import Iterable

from memory.language.text import is_word_character

_SEVERAL = "several people"


def with_ids(text: str, mentioned: Iterable[object]) -> str:
    """The same text with `@Name` as `<@id>`, for those the message mentions and whose name means one of them alone."""
    ids = _ids_by_name(mentioned)
    # The longest first, so that Anna Maria is not taken for Anna.
    names = sorted(ids, key=len, reverse=True)
    parts: list[str] = []
    done = 0
    place = text.find("@")
    while place >= 0:
        name = _name_at(text, place, names)
        if name:
            parts += (text[done:place], f"<@{ids[name]}>")
            done = place + 1 + len(name)
        place = text.find("@", max(done, place + 1))
    return "".join((*parts, text[done:]))


def _name_at(text: str, sign: int, names: Iterable[str]) -> str | None:
    """The name behind an @ that stands by itself: neither an address of mail nor the beginning of a longer name."""
    if sign and is_word_character(text[sign - 1]):
        return None
    for name in names:
        end = sign + 1 + len(name)
        if text.startswith(name, sign + 1) and not (end < len(text) and is_word_character(text[end])):
            return name
    return None


def _ids_by_name(mentioned: Iterable[object]) -> dict[str, str]:
    """Shown is the name in the guild; older exports show the account's. The first kind goes before the second."""
    shown: dict[str, str] = {}
    accounts: dict[str, str] = {}
    for person in mentioned:
        if not isinstance(person, dict):
            continue
        user_id = person.get("id")
        if isinstance(user_id, str) and user_id.isdecimal():
            _note(shown, person.get("nickname"), user_id)
            _note(accounts, person.get("name"), user_id)
    accounts.update(shown)
    return {name: user_id for name, user_id in accounts.items() if user_id != _SEVERAL}


def _note(ids: dict[str, str], name: object, user_id: str) -> None:
    if isinstance(name, str) and name:
        ids[name] = user_id if ids.get(name, user_id) == user_id else _SEVERAL
