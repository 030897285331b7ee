"""Tells what was talked about in a channel, or is pinned there, to somebody who asks for nothing more particular.

What was talked about is told from the summary, sentence by sentence with what each rests on, and from what was said
since, quoted; where nobody has summed anything up yet, all of it is quoted.
"""

from collections.abc import Mapping

from memory.answers.quote import QUOTE_LIMIT, Line, Say, answer_of
from memory.channels.service import ChannelText
from memory.channels.values import NUMBERS, lines_of
from memory.core.outcomes import Answer
from memory.core.provenance import Read
from memory.core.values import Message, Source, text_of
from memory.language.detect import Language, language_of, word_set
from memory.language.text import words_in
from memory.language.wording import wording
from memory.models.prompt_data import one_line

LONGEST = 100
"""Characters. Whoever says more asks for something more particular."""


class Phrasebook:
    """Knows questions that ask for one thing and nothing more particular, whatever small words stand around it."""

    def __init__(self, phrases: Mapping[Language, str], beside: str) -> None:
        """`phrases`: with commas between them; `beside`: words that may stand anywhere in such a question."""
        self._beside = word_set(beside)
        self._known: dict[str, Language] = {}
        for language, listed in phrases.items():
            for phrase in listed.split(","):
                self._known.setdefault(self._core(phrase), language)

    def language_of(self, text: str) -> Language | None:
        """Find the language of a question that asks for it; None for any other."""
        core = self._core(text) if len(text) <= LONGEST else ""
        return self._known.get(core) if core else None

    def _core(self, text: str) -> str:
        return " ".join(word.text for word in words_in(text) if word.text not in self._beside)


_BESIDE = (
    "hey so ok okay please also and can could give me us a quick short of this the our thread conversation chat"
    " discussion here far before earlier lately just now again then all guys up to you they people everyone"
    " bitte eine kurze die das es alles den dem diesem kanal in hier bisher gerade eben vorhin zuletzt denn nochmal mal"
    " sie ihr alors un le la de du cette ce salon fil fais nous moi vous ici jusqu déjà avant encore svp"
    " entonces por el en esta este canal conversación charla haz haznos hazme aquí hasta ahora antes ya favor"
    " ну так в вы они этот разговор разговора чат чата краткое кратко здесь тут до этого раньше только что пожалуйста"
)
_PHRASES = {
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
ASKED = Phrasebook(_PHRASES, _BESIDE)
"""Asks what was talked about here."""


def is_told_in(text: ChannelText | None, language: Language) -> bool:
    """Say whether a model summed the channel up in that language; otherwise a model that answers has more to say than
    quotations or a text in another one."""
    told = [] if text is None else [one.text for one in text.summaries if one.model is not None or one.corrected_by]
    return bool(told) and language_of(" ".join(told), language) is language


def told(text: ChannelText | None, language: Language) -> Answer:
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
_BESIDE_PINS = (
    "hey so ok okay please and can could you show me us give the a this our here there in channel thread any all"
    " currently bitte und kannst du mir uns zeig zeige die der das hier in diesem kanal alle denn so gerade"
    " dis moi montre nous le la les des ici dans ce salon fil svp est muestra muéstrame los las el la aquí en este"
    " canal favor por покажи мне нам в этом канале здесь тут пожалуйста все"
)
PINS_ASKED = Phrasebook(
    {
        Language.EN: "what is pinned, what's pinned, pins, pinned, pinned messages, what are pinned messages,"
        " which messages are pinned, what messages are pinned, are pins, are pinned messages, what are pins",
        Language.DE: "was ist angepinnt, angepinnt, angepinnte nachrichten, welche nachrichten sind angepinnt, was ist"
        " angeheftet, angeheftete nachrichten, was wurde angepinnt, pinnwand",
        Language.FR: "qu'est-ce qui est épinglé, messages épinglés, épinglés, quels messages sont épinglés,"
        " quoi d'épinglé",
        Language.ES: "qué hay fijado, qué está fijado, mensajes fijados, mensajes anclados, qué mensajes están fijados,"
        " qué hay anclado, qué está anclado",
        Language.RU: "что закреплено, закреплённые сообщения, закрепленные сообщения,"
        " какие сообщения закреплены, закреп",
    },
    _BESIDE_PINS,
)
"""Asks what is pinned."""


def told_of_pins(pinned: list[Message], language: Language) -> Answer:
    """Tell what is pinned, the newest first; that there is nothing, where there is nothing."""
    if not pinned:
        return Answer(wording(language, Say.PINNED_NONE))
    lines = [Line(wording(language, Say.PINNED))]
    for one in pinned:
        words = f"• <@{one.author_id}>: “{one_line(text_of(one), QUOTE_LIMIT)}”"
        lines.append(Line(words, Source(one.channel_id, one.message_id)))
    return answer_of(lines, Read.of_messages(pinned))
