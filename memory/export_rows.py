"""Rows of the store as somebody outside can read them: names beside ids, ids as text, links to what can be opened.

Ids are text because many programs round numbers of that size. Deleted and unreadable messages have no link. Facts are
numbered anew in each file: their ids in the ledger count what everybody told.
"""

from collections.abc import Iterable, Sequence

from memory.core.holdings import Signposts
from memory.people.names import MENTION, mentioned_ids
from memory.places.view import Audience
from memory.store.export import Row, Snapshot

_PEOPLE = {
    "subject_id": "about",
    "teller_id": "told_by",
    "actor_id": "by",
    "author_id": "author",
    "asker_id": "asked_by",
    "user_id": "about",
    "made_by": "made_by",
}
_FACTS = frozenset(("fact_id", "replaced_by_id", "fact_ids", "used_fact_ids", "quoted_fact_ids"))


class Shaping:
    """Of one export: whoever was looked up once is known."""

    def __init__(self, snapshot: Snapshot, reader: Audience, signposts: Signposts) -> None:
        self._snapshot = snapshot
        self._reader = reader
        self._signposts = signposts
        self._names: dict[int, str | None] = {}
        self._numbers: dict[object, int] = {}
        """Of facts, in the order in which the file names them."""

    async def shaped(self, rows: Sequence[Row]) -> list[Row]:
        await self._learn_names(rows)
        return [self._shape(row) for row in rows]

    async def _learn_names(self, rows: Iterable[Row]) -> None:
        met = {user_id for row in rows for user_id in _people_in(row)} - self._names.keys()
        if met:
            known = await self._snapshot.names(met)
            self._names.update({user_id: known.get(user_id) for user_id in met})

    def _shape(self, row: Row) -> Row:
        shaped: Row = {}
        for column, value in row.items():
            if value is None or column == "link_id":
                continue
            if column in _PEOPLE:
                shaped[_PEOPLE[column]] = self._named(value, self._names.get(value))
            elif column == "channel_id":
                shaped["channel"] = self._channel(value)
            elif column == "made_from_channels":
                shaped[column] = [self._channel(channel_id) for channel_id in value]
            elif column == "extras":
                shaped |= value
            elif column.endswith("_ids"):
                shaped[column] = [self._id(column, one) for one in value]
            else:
                shaped[column] = self._id(column, value) if column.endswith("_id") else value
        if "text" in shaped and (reads := self._with_names(shaped["text"])) != shaped["text"]:
            shaped["text_with_names"] = reads
        if row.get("link_id") and row["channel_id"] in self._reader.sources:
            shaped["link"] = self._signposts.link(row["channel_id"], row["link_id"])
        return shaped

    def _id(self, column: str, one: object) -> str:
        return str(self._numbers.setdefault(one, len(self._numbers) + 1) if column in _FACTS else one)

    def _channel(self, channel_id: int) -> Row:
        return self._named(channel_id, self._signposts.channel_names.get(channel_id))

    def _named(self, one: int, name: str | None) -> Row:
        return {"id": str(one)} if name is None else {"id": str(one), "name": name}

    def _with_names(self, text: str) -> str:
        return MENTION.sub(lambda found: self._names.get(int(found[1])) or found[0], text)


def _people_in(row: Row) -> Iterable[int]:
    yield from (row[column] for column in _PEOPLE if row.get(column) is not None)
    yield from mentioned_ids(row.get("text") or "")
