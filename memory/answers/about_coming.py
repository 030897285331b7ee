"""Tells what is coming up to somebody who asks for nothing more particular: events, and their own reminders."""

from datetime import datetime

from memory.answers.about_channel import LONGEST, Phrasebook
from memory.answers.quote import Line, Say, answer_of
from memory.core.outcomes import Answer
from memory.core.provenance import Read
from memory.events import Event, Events
from memory.language.detect import Language
from memory.language.question_words import Want, wants_of
from memory.language.stems import topics
from memory.language.text import fold
from memory.language.wording import wording
from memory.models.prompt_data import one_line
from memory.places.view import Audience
from memory.reminders.service import Reminders

MOST_LISTED = 10
LONGEST_LINE = 200
_BESIDE = (
    "hey so ok okay please and can could you tell show me us give the a this our here on server there any all list of"
    " bitte und kannst du mir uns zeig sag die den der das hier auf dem server alle denn so demnächst bald"
    " soon dis moi montre nous le la les du des ici sur serveur bientôt svp est ce qu que il y prochainement"
    " dime muéstrame el los las aquí en servidor pronto por favor hay qué"
    " скажи покажи мне нам на сервере здесь тут пожалуйста ну а все скоро какие"
)
_PHRASES = {
    Language.EN: "what's coming up, what is coming up, what comes up, coming up, upcoming, upcoming events,"
    " what's planned, what is planned, what's scheduled, what is scheduled, which events are coming,"
    " what events are coming, what events are coming up, which events are planned, what events are planned,"
    " next events, events, what are next events, scheduled events, are events, what's next, what's on",
    Language.DE: "was steht an, was kommt, was ist geplant, was steht bevor, welche events kommen, nächste events,"
    " was läuft, welche events stehen an, welche veranstaltungen stehen an, welche veranstaltungen kommen,"
    " anstehende events, termine, welche termine stehen an, gibt es events, gibt es termine, veranstaltungen",
    Language.FR: "qu'est-ce qui est prévu, qu'est-ce qui arrive, quoi de prévu, quels événements sont prévus,"
    " événements, événements à venir, les prochains événements, quels sont les prochains événements,"
    " c'est quoi le programme",
    Language.ES: "qué hay programado, qué está programado, qué viene, qué hay previsto, qué eventos hay,"
    " próximos eventos, eventos, qué está previsto, cuáles son los próximos eventos",
    Language.RU: "что запланировано, что намечается, что планируется, что предстоит, что будет, какие события будут,"
    " события, ближайшие события, какие мероприятия, мероприятия, какие события запланированы",
}


ASKED = Phrasebook(_PHRASES, _BESIDE)
"""Asks what is coming up."""


_BEGINNING = topics(
    "start starts begin begins time clock take place uhr beginnt anfängt fängt los startet findet statt commence heure"
    " empieza comienza hora начинается начнётся начало время"
)
"""Words of a question for when an event is that no event is called by."""


class Coming:
    def __init__(self, events: Events, reminders: Reminders) -> None:
        self._events = events
        self._reminders = reminders

    async def when(self, audience: Audience, text: str, language: Language) -> Answer | None:
        """Tell when the event is that a question names in full and asks of nothing else; None for any other."""
        asked = topics(text)
        if len(text) > LONGEST or Want.TIME not in wants_of(fold(text)) or not asked - _BEGINNING:
            return None
        for event in await self._events.coming(audience):
            if topics(event.name) - _BEGINNING == asked - _BEGINNING:
                return answer_of([Line(_event_line(event, language))], event.read)
        return None

    async def told(self, audience: Audience, asker_id: int, language: Language) -> Answer:
        """Tell the events that these readers may know of; the asker's own reminders where nobody else reads them."""
        events = await self._events.coming(audience, most=MOST_LISTED)
        is_alone = audience.viewer_id == asker_id
        reminders = await self._reminders.of_owner(audience.guild_id, asker_id) if is_alone else []
        lines = [Line(wording(language, Say.COMING if events else Say.COMING_NONE))]
        lines += [Line(_event_line(event, language)) for event in events]
        due = [(one.due_at, one.text) for one in reminders if one.due_at is not None][:MOST_LISTED]
        if due:
            lines.append(Line(wording(language, Say.COMING_REMINDERS)))
            lines += [Line(f"• ⏰ {_moment(at)} {one_line(text, LONGEST_LINE)}") for at, text in due]
        elif not is_alone:
            lines.append(Line(f"-# {wording(language, Say.COMING_REMINDERS_ELSEWHERE)}"))
        return answer_of(lines, Read.of_all(event.read for event in events))


def _event_line(event: Event, language: Language) -> str:
    """Write an event as a line; Discord shows the moment in the language and the zone of whoever reads it."""
    where = one_line(event.location, LONGEST_LINE) if event.channel_id is None else f"<#{event.channel_id}>"
    interested = wording(language, Say.COMING_INTERESTED, count=event.interested) if event.interested else ""
    beside = " · ".join(filter(None, (where, interested)))
    words = f"**{one_line(event.name, LONGEST_LINE)}** [↪]({event.link})"
    return f"• {_moment(event.starts_at)} {words}{' · ' if beside else ''}{beside}"


def _moment(at: datetime) -> str:
    stamp = int(at.timestamp())
    return f"<t:{stamp}:F> (<t:{stamp}:R>)"
