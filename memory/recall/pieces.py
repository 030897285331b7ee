"""Keeps what was read of files in pieces: each is found for itself and stands for the message its file came with.

A message keeps the beginning of a long file; the whole lies here. It goes with its message, and with its attachment.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.core.values import Attachment, Message, ReadAs
from memory.db.database import Connection, Reads, Record
from memory.db.table_declarations import Follows, Goes, How, TableDeclaration, columns
from memory.language.detect import Language, language_of
from memory.language.stems import MOST_WANTED, WordForms, topics_in_order, words_of
from memory.log.reading import not_pending_removal
from memory.places.view import Audience
from memory.recall.index_store import CONVERSATION
from memory.recall.query import Limits, Term, Terms, guild_mark, quoted, stem_of, topics, written

LONGEST_PIECE = 1_200
SHOWN = 450
"""Characters of a piece that stand in a find: a message in a prompt has not much more room."""
SHOWN_TO_REPLY = 3_000
"""Characters of a file that a question replies to."""
LOOKED_AT = 200
"""Pieces that have a word: one that more of them have tells little."""
COMPARED = 50
"""Of these pieces, how many are compared by all words: those that have most of the rare ones. All of them are where
somebody or a time is asked for: whose they are is looked up last."""
MOST_WORDS = 4
"""Words that pieces are looked up by, the rarest; how well each fits is judged by all of them."""
COMMON = 0.01
"""Of all messages: a word in so many stands in every fifth piece, so only the rarest word may be as common."""
TELLS_LANGUAGE = 4_000


@dataclass(frozen=True, slots=True)
class Piece:
    """Holds a few lines of a file."""

    line: int
    """The first of them; of a PDF the first of its page."""
    text: str
    page: int | None = None

    @property
    def place(self) -> str:
        return f":{self.line}" if self.page is None else f", p. {self.page}"


def cut(text: str, page: int | None = None) -> list[Piece]:
    """Cut a text into pieces of whole lines, and longer lines where they are too long."""
    pieces: list[Piece] = []
    held: list[str] = []
    first, size = 1, 0

    def close() -> None:
        nonlocal size
        if said := "\n".join(held).rstrip():
            pieces.append(Piece(first, said, page))
        held.clear()
        size = 0

    for number, line in enumerate(text.split("\n"), start=1):
        for start in range(0, len(line) or 1, LONGEST_PIECE):
            part = line[start : start + LONGEST_PIECE]
            if not held and not part.strip():
                continue
            if held and size + len(part) > LONGEST_PIECE:
                close()
            if not held:
                first = number
            held.append(part)
            size += len(part) + 1
    close()
    return pieces


async def write_pieces(
    connection: Connection, guild_id: int, channel_id: int, message_id: int, attachment_id: int, rows: Sequence[object]
) -> None:
    """Write the pieces of one file, as `indexed` made them, within the transaction that keeps what was read."""
    await connection.execute(_WRITE, guild_id, channel_id, message_id, attachment_id, list(rows))


def indexed(guild_id: int, pieces: Sequence[Piece]) -> list[dict[str, object]]:
    """Bring the words of pieces to their stems; it takes its time, so not on the loop."""
    language = language_of("\n".join(piece.text for piece in pieces)[:TELLS_LANGUAGE])
    return [
        {
            "piece": number,
            "page": piece.page,
            "line": piece.line,
            "text": piece.text,
            "terms": written(guild_id, _counts(piece.text, language)),
        }
        for number, piece in enumerate(pieces)
    ]


def _counts(text: str, language: Language | None) -> dict[str, int]:
    return {stem_of(word, language): 1 for word in topics(words_of(text), language)}


@dataclass(frozen=True, slots=True)
class PieceFound:
    """Holds the piece of a message's files that says most of what is looked for."""

    row: Record
    """The message, as the log has it."""
    attachment_id: int
    piece: Piece
    matched: frozenset[int]
    """The positions of the words it has."""

    def shown_in(self, message: Message, wanted: WordForms) -> Message:
        return with_text(message, self.attachment_id, *best_lines(self.piece, wanted, SHOWN))


async def find_pieces(
    store: Reads, audience: Audience, terms: Terms, limits: Limits, sources: Sequence[int], most: int
) -> list[PieceFound]:
    """Find the messages whose files say most of the words, the best first, each with its best piece."""
    known = [term for term in terms.terms if term.share == 1.0]
    if not known or not sources:
        return []
    authors = None if limits.author_ids is None else list(limits.author_ids)
    of_guild = "" if terms.is_only_guild else f" & {quoted(guild_mark(audience.guild_id))}"
    rows = await store.fetch(
        _FIND,
        audience.guild_id,
        list(sources),
        [quoted(term.text) for term in known],
        [term.word for term in known],
        [1.0 / (1 + term.messages) ** 0.25 for term in known],
        [f"({word}){of_guild}" for word in _rarest_words(known, terms.messages)],
        authors,
        limits.after,
        limits.before,
        most,
        COMPARED if limits == Limits(channel_ids=limits.channel_ids) else MOST_WORDS * LOOKED_AT,
    )
    return [
        PieceFound(
            row, row["attachment_id"], Piece(row["line"], row["piece_text"], row["page"]), frozenset(row["matched"])
        )
        for row in rows
    ]


def _rarest_words(rarest: Sequence[Term], messages: int) -> list[str]:
    """Write each of the rarest few words as any of its stems."""
    stems: dict[int, list[Term]] = {}
    for term in rarest:
        stems.setdefault(term.word, []).append(term)
    first, *others = stems.values()
    rare = [each for each in others if sum(term.messages for term in each) <= COMMON * messages]
    return [" | ".join(quoted(term.text) for term in each) for each in (first, *rare[: MOST_WORDS - 1])]


async def with_pieces_for(
    store: Reads, audience: Audience, messages: Sequence[Message], question: str, *, is_find: bool = False
) -> tuple[Message, ...]:
    """Show, of messages that a question is about, as much of their files as fits it; of a find its best lines."""
    ids = [one.message_id for one in messages if any(file.words for file in one.attachments)]
    if not ids:
        return tuple(messages)
    rows = await store.fetch(_OF_MESSAGES, audience.guild_id, list(audience.sources), ids)
    wanted = WordForms(topics_in_order(question)[:MOST_WANTED])
    shown = {one.message_id: one for one in messages}
    files: dict[tuple[int, int], list[Piece]] = {}
    for row in rows:
        pieces = files.setdefault((row["message_id"], row["attachment_id"]), [])
        pieces.append(Piece(row["line"], row["text"], row["page"]))
    for (message_id, attachment_id), pieces in files.items():
        place, text = "", _fitting(pieces, wanted, SHOWN_TO_REPLY)
        if is_find:
            best = max(pieces, key=lambda piece: wanted.count_in(piece.text))
            place, text = best_lines(best, wanted, SHOWN)
        shown[message_id] = with_text(shown[message_id], attachment_id, place, text)
    return tuple(shown[one.message_id] for one in messages)


def _fitting(pieces: Sequence[Piece], wanted: WordForms, limit: int) -> str:
    """Join the pieces that fit the question best, in their order, each with its place; the beginning among equals."""
    fits = [wanted.count_in(piece.text) for piece in pieces]
    taken: set[int] = set()
    left = limit
    for number in sorted(range(len(pieces)), key=lambda number: -fits[number]):
        if len(pieces[number].text) <= left:
            taken.add(number)
            left -= len(pieces[number].text)
    return "\n".join(f"({pieces[one].place.strip(':, ')}) {pieces[one].text}" for one in sorted(taken))


def best_lines(piece: Piece, wanted: WordForms, limit: int) -> tuple[str, str]:
    """Give the line of a piece that says most of what is wanted, its place, and what follows it."""
    lines = piece.text.split("\n")
    weights = [wanted.count_in(line) for line in lines]
    best = weights.index(max(weights))
    return replace(piece, line=piece.line + best).place, "\n".join(lines[best:])[:limit]


def with_text(message: Message, attachment_id: int, place: str, words: str) -> Message:
    """Show another part of a file with its message."""

    def shown(file: Attachment) -> Attachment:
        if file.attachment_id != attachment_id:
            return file
        return replace(file, words=words, place=place if file.read_as is ReadAs.TEXT else "")

    return replace(message, attachments=tuple(map(shown, message.attachments)))


_WRITE = """
INSERT INTO file_pieces (guild_id, channel_id, message_id, attachment_id, piece, page, line, text, terms)
SELECT $1, $2, $3, $4, * FROM json_to_recordset($5::json) AS made (
    piece int, page int, line int, text text, terms tsvector)
ON CONFLICT DO NOTHING
"""

# Of each word so many pieces at most are looked at, and the words of those are unpacked that have most of the words.
# OFFSET 0 keeps the planner from looking through the guild instead.
_FIND = f"""
WITH asked AS MATERIALIZED (
    SELECT term::tsquery AS term, word, weight
    FROM unnest($3::text[], $4::int[], $5::float8[]) AS asked (term, word, weight)
), promising AS (
    SELECT message_id, attachment_id, piece FROM unnest($6::text[]) WITH ORDINALITY AS looked_up (word, place)
    CROSS JOIN LATERAL (
        SELECT message_id, attachment_id, piece
        FROM (SELECT * FROM file_pieces WHERE terms @@ looked_up.word::tsquery OFFSET 0) AS piece
        WHERE guild_id = $1 AND channel_id = ANY ($2) LIMIT {LOOKED_AT}
    ) AS piece
    GROUP BY message_id, attachment_id, piece ORDER BY count(*) DESC, min(place) LIMIT $11
), best AS (
    SELECT DISTINCT ON (message_id) message_id, attachment_id, piece, fits.weight, matched
    FROM promising JOIN LATERAL (
        SELECT strip(terms) AS terms FROM file_pieces AS said
        WHERE guild_id = $1 AND (said.message_id, said.attachment_id, said.piece)
            = (promising.message_id, promising.attachment_id, promising.piece) OFFSET 0
    ) AS unpacked ON true CROSS JOIN LATERAL (
        SELECT sum(of_word.weight) AS weight, array_agg(word) AS matched
        FROM (SELECT word, max(weight) AS weight FROM asked WHERE unpacked.terms @@ term GROUP BY word) AS of_word
    ) AS fits
    ORDER BY message_id, fits.weight DESC, piece
)
SELECT said.*, best.attachment_id, best.matched, piece.page, piece.line, piece.text AS piece_text
FROM best JOIN chat_history AS said ON said.guild_id = $1 AND said.message_id = best.message_id
JOIN file_pieces AS piece ON piece.guild_id = $1 AND piece.message_id = best.message_id
    AND piece.attachment_id = best.attachment_id AND piece.piece = best.piece
WHERE said.channel_id = ANY ($2) AND ($7::bigint[] IS NULL OR said.author_id = ANY ($7))
    AND ($8::timestamptz IS NULL OR said.sent_at >= $8) AND ($9::timestamptz IS NULL OR said.sent_at < $9)
    AND {CONVERSATION} AND {not_pending_removal("said")}
ORDER BY best.weight DESC, said.message_id DESC LIMIT $10
"""  # noqa: S608 - made of constants

_OF_MESSAGES = f"""
SELECT piece.* FROM file_pieces AS piece JOIN chat_history AS said USING (guild_id, message_id)
WHERE piece.guild_id = $1 AND said.channel_id = ANY ($2) AND message_id = ANY ($3) AND {not_pending_removal("said")}
ORDER BY message_id, attachment_id, piece
"""  # noqa: S608 - made of constants

_WITH_ITS_MESSAGE = Follows("chat_history", How.TRIGGER)

TABLES = (
    TableDeclaration(
        table="file_pieces",
        purpose="the first 64 kB of what a text file, a PDF or a voice message says, in pieces, so that it is found",
        until="the message or the attachment goes, in the same moment",
        columns=columns(
            ids="guild_id channel_id message_id attachment_id",
            words="text terms",
            numbers="piece page line",
        ),
        message=_WITH_ITS_MESSAGE,
        member=_WITH_ITS_MESSAGE,
        channel=_WITH_ITS_MESSAGE,
        guild=Goes(),
    ),
)
