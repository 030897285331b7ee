"""Tells what was talked about or is pinned in a channel, or what is coming up, to whoever asks for nothing more.

What was talked about is told from the summary, sentence by sentence with what each rests on, and from what was said
since, quoted; where nobody has summed anything up yet, all of it is quoted. What is coming up are events, and the
asker's own reminders.
"""

from collections.abc import Mapping
from datetime import datetime

from memory.answers.quote import QUOTE_LIMIT, Line, Say, answer_of
from memory.channels.service import ChannelText
from memory.channels.values import NUMBERS, lines_of
from memory.core.outcomes import Answer
from memory.core.provenance import Read
from memory.core.values import Intent, Message, Source, text_of
from memory.events import Event, Events
from memory.language.detect import Language, language_of, word_set
from memory.language.question_words import Want, wants_of
from memory.language.stems import topics
from memory.language.text import fold, plain_words
from memory.language.wording import wording
from memory.models.prompt_data import one_line
from memory.places.view import Audience
from memory.reminders.service import Reminders

LONGEST = 100
"""Characters. Whoever says more asks for something more particular."""


class _Phrases:
    """Knows questions that ask for one thing and nothing more particular, whatever small words stand around it."""

    def __init__(self, phrases: Mapping[Language, str], beside: str) -> None:
        """`phrases`: with commas between them; `beside`: words that may stand anywhere in such a question."""
        self._beside = word_set(beside)
        listed = [(self._core(one), language) for language, several in phrases.items() for one in several.split(",")]
        self._known = dict(reversed(listed))

    def language_of(self, text: str) -> Language | None:
        core = self._core(text)
        return self._known.get(core) if core else None

    def _core(self, text: str) -> str:
        return " ".join(word for word in plain_words(text) if word not in self._beside)


_BESIDE_CHANNEL = (
    "hey so ok okay please also and can could give me us a quick short of this the our thread conversation chat"
    " discussion here far before earlier lately just now again then all guys up to you they people everyone"
    " bitte eine kurze die das es alles den dem diesem kanal in hier bisher gerade eben vorhin zuletzt denn nochmal mal"
    " sie ihr alors un le la de du cette ce salon fil fais nous moi vous ici jusqu déjà avant encore svp"
    " entonces por el en esta este canal conversación charla haz haznos hazme aquí hasta ahora antes ya favor"
    " ну так в вы они этот разговор разговора чат чата краткое кратко здесь тут до этого раньше только что пожалуйста"
)
_CHANNEL = {
    Language.EN: "where were we, where did we leave off, where did we stop, tl dr, tldr, what have we talked about,"
    " what have we been talking about, what were we talking about, what have we discussed, what did we discuss,"
    " what have you talked about, what have you been talking about, what have you been discussing, what was discussed,"
    " what was said, what is this channel about, what is this thread about, summary, recap, sum up, sum it up,"
    " summarise, summarize",
    Language.DE: "wo waren wir, wo waren wir stehen geblieben, wo sind wir stehen geblieben, worüber haben wir geredet,"
    " worüber haben wir gesprochen, worüber haben sie geredet, worum geht es, worum ging es, was wurde gesagt,"
    " was wurde besprochen, zusammenfassung, fass das zusammen, fasse das zusammen",
    Language.FR: "où en étions-nous, où en était-on, on en était où, de quoi avons-nous parlé, de quoi on a parlé,"
    " de quoi vous avez parlé, de quoi parle-t-on, de quoi on parle, qu'est-ce qui s'est dit, résumé",
    Language.ES: "dónde estábamos, dónde nos quedamos, en qué nos quedamos, en qué estábamos, de qué hemos hablado,"
    " de qué han hablado, de qué hablamos, de qué se habló, resumen",
    Language.RU: "на чём мы остановились, о чём мы говорили, о чём вы говорили, о чём шла речь, о чём этот канал,"
    " содержание, итоги, резюме, пересказ, перескажи, подытожь",
}
_BESIDE_PINS = (
    "hey so ok okay please and can could you show me us give the a this our here there in channel thread any all"
    " currently bitte und kannst du mir uns zeig zeige die der das hier in diesem kanal alle denn so gerade"
    " dis moi montre nous le la les des ici dans ce salon fil svp est muestra muéstrame los las el la aquí en este"
    " canal favor por покажи мне нам в этом канале здесь тут пожалуйста все"
)
_PINS = {
    Language.EN: "what is pinned, what's pinned, pins, pinned, pinned messages, what are pinned messages,"
    " which messages are pinned, what messages are pinned, are pins, are pinned messages, what are pins",
    Language.DE: "was ist angepinnt, angepinnt, angepinnte nachrichten, welche nachrichten sind angepinnt, was ist"
    " angeheftet, angeheftete nachrichten, was wurde angepinnt, pinnwand",
    Language.FR: "qu'est-ce qui est épinglé, messages épinglés, épinglés, quels messages sont épinglés, quoi d'épinglé",
    Language.ES: "qué hay fijado, qué está fijado, mensajes fijados, mensajes anclados, qué mensajes están fijados,"
    " qué hay anclado, qué está anclado",
    Language.RU: "что закреплено, закреплённые сообщения, закрепленные сообщения, какие сообщения закреплены, закреп",
}
_BESIDE_COMING = (
    "hey so ok okay please and can could you tell show me us give the a this our here on server there any all list of"
    " bitte und kannst du mir uns zeig sag die den der das hier auf dem server alle denn so demnächst bald"
    " soon dis moi montre nous le la les du des ici sur serveur bientôt svp est ce qu que il y prochainement"
    " dime muéstrame el los las aquí en servidor pronto por favor hay qué"
    " скажи покажи мне нам на сервере здесь тут пожалуйста ну а все скоро какие"
)
_COMING = {
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
_PHRASES = {
    Intent.COMING: _Phrases(_COMING, _BESIDE_COMING),
    Intent.PINS: _Phrases(_PINS, _BESIDE_PINS),
    Intent.CHANNEL: _Phrases(_CHANNEL, _BESIDE_CHANNEL),
}


def asked_by_phrase(text: str) -> tuple[Intent, Language] | None:
    """Find what a question asks for without a model, and in which language; None where it asks for anything else."""
    for intent, phrases in _PHRASES.items() if len(text) <= LONGEST else ():
        if (language := phrases.language_of(text)) is not None:
            return intent, language
    return None


def is_told_in(text: ChannelText | None, language: Language) -> bool:
    """Say whether a model summed the channel up in that language; otherwise a model that answers has more to say than
    quotations or a text in another one."""
    told = [] if text is None else [one.text for one in text.summaries if one.model is not None or one.corrected_by]
    return bool(told) and language_of(" ".join(told), language) is language


def told_of_channel(text: ChannelText | None, language: Language) -> Answer:
    """Tell what was talked about in a channel; that there is nothing, where it is switched off or nobody spoke."""
    if text is None or not (text.summaries or text.extract):
        return Answer(wording(language, Say.NOTHING_TALKED))
    lines: list[Line] = []
    for summary in text.summaries:
        is_quoted = summary.model is None and summary.corrected_by is None
        if not lines:
            lines.append(Line(wording(language, Say.QUOTING if is_quoted else Say.TALKED)))
        lines += [Line(f"• {one.text}", Source(one.channel_id, one.message_ids[0])) for one in lines_of(summary)]
        if summary.corrected_by is not None:
            lines.append(Line(f"-# {wording(language, Say.CORRECTED, person=f'<@{summary.corrected_by}>')}"))
    if text.extract is not None:
        lines.append(Line(wording(language, Say.TALKED_SINCE if lines else Say.QUOTING)))
        quotes = zip(text.extract.text.splitlines(), text.extract.cites, strict=True)
        lines += [Line(f"• {NUMBERS.sub('', line).rstrip()}", Source(text.channel_id, cited)) for line, cited in quotes]
    return answer_of(lines, text.read)


MOST_PINS = 10


def told_of_pins(pinned: list[Message], language: Language) -> Answer:
    """Tell what is pinned, the newest first; that there is nothing, where there is nothing."""
    if not pinned:
        return Answer(wording(language, Say.PINNED_NONE))
    lines = [Line(wording(language, Say.PINNED))]
    for one in pinned:
        words = f"• <@{one.author_id}>: “{one_line(text_of(one), QUOTE_LIMIT)}”"
        lines.append(Line(words, Source(one.channel_id, one.message_id)))
    return answer_of(lines, Read.of_messages(pinned))


MOST_LISTED = 10
LONGEST_LINE = 200
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
