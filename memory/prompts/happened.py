"""What happened on a day, asked by somebody who was not there: quoted line by line, each with its source."""

from datetime import date, tzinfo

from memory.core.extract.day import Day, happenings
from memory.core.outcomes import Answer
from memory.core.provenance import Read
from memory.language.detect import Language
from memory.models.prompt_data import one_line
from memory.prompts.cited_lines import Line, answer_of
from memory.prompts.summary_phrases import PHRASES, Say

QUOTE_LIMIT = 300
"""More than a quoted sentence has: none is cut."""


def without_model(said: Day, day: date, zone: tzinfo, language: Language) -> Answer:
    """`said` is what the readers of the answer may read of that day, and nothing else."""
    say = PHRASES[language]
    quotes = happenings(said)
    written = f"{day:%Y-%m-%d}"
    if not quotes:
        return Answer(say[Say.NOTHING_HAPPENED].format(day=written))
    lines = [
        Line(
            f"• {quote.said_at.astimezone(zone):%H:%M} <@{quote.author_id}>: “{one_line(quote.text, QUOTE_LIMIT)}”",
            quote.source,
        )
        for quote in quotes
    ]
    quoted = {quote.source.message_id for quote in quotes}
    read = Read.of_messages(message for message in said.messages if message.message_id in quoted)
    return answer_of([Line(say[Say.HAPPENED].format(day=written)), *lines], read)
