"""What was talked about in a channel, told to somebody who asks for nothing more particular: "where were we?", "tl;dr".

From the summary, sentence by sentence with what each rests on, and from what was said since, quoted; where nobody has
summed anything up yet, all of it is quoted.
"""

from memory.answers.quote import Line, Say, answer_of
from memory.channels.service import ChannelText
from memory.channels.values import NUMBERS, lines_of
from memory.core.outcomes import Answer
from memory.core.values import Source
from memory.language.detect import Language, language_of, word_set
from memory.language.text import words_in
from memory.language.wording import wording

LONGEST_ASKED = 100
"""Characters. Whoever says more asks for something more particular."""
_BESIDE = word_set(
    "hey so ok okay please also and can could give me us a quick short of this the our thread conversation chat"
    " discussion here far before earlier lately just now again then all guys up to you they people everyone"
    " bitte eine kurze die das es alles den dem diesem kanal in hier bisher gerade eben vorhin zuletzt denn nochmal mal"
    " sie ihr alors un le la de du cette ce salon fil fais nous moi vous ici jusqu déjà avant encore svp"
    " entonces por el en esta este canal conversación charla haz haznos hazme aquí hasta ahora antes ya favor"
    " ну так в вы они этот разговор разговора чат чата краткое кратко здесь тут до этого раньше только что пожалуйста"
)
"""May stand anywhere in such a question."""
_PHRASES = (
    "where were we, where did we leave off, where did we stop, tl dr, tldr, what have we talked about,"
    " what have we been talking about, what were we talking about, what have we discussed, what did we discuss,"
    " what have you talked about, what have you been talking about, what have you been discussing, what was discussed,"
    " what was said, what is this channel about, what is this thread about, summary, recap, sum up, sum it up,"
    " summarise, summarize,"
    " wo waren wir, wo waren wir stehen geblieben, wo sind wir stehen geblieben, worüber haben wir geredet,"
    " worüber haben wir gesprochen, worüber haben sie geredet, worum geht es, worum ging es, was wurde gesagt,"
    " was wurde besprochen, zusammenfassung, fass das zusammen, fasse das zusammen,"
    " où en étions-nous, où en était-on, on en était où, de quoi avons-nous parlé, de quoi on a parlé,"
    " de quoi vous avez parlé, de quoi parle-t-on, de quoi on parle, qu'est-ce qui s'est dit, résumé,"
    " dónde estábamos, dónde nos quedamos, en qué nos quedamos, en qué estábamos, de qué hemos hablado,"
    " de qué han hablado, de qué hablamos, de qué se habló, resumen,"
    " на чём мы остановились, о чём мы говорили, о чём вы говорили, о чём шла речь, о чём этот канал, содержание,"
    " итоги, резюме, пересказ, перескажи, подытожь"
)


def _core(text: str) -> str:
    return " ".join(word.text for word in words_in(text) if word.text not in _BESIDE)


_ASKED = frozenset(map(_core, _PHRASES.split(",")))


def asks_for_channel(text: str) -> bool:
    """Whether a question wants to know what was talked about here, and nothing more particular."""
    return len(text) <= LONGEST_ASKED and _core(text) in _ASKED


def is_told_in(text: ChannelText | None, language: Language) -> bool:
    """Whether a model has summed it up in that language; otherwise a model that answers has more to say than quotations
    or a text in another one."""
    told = [] if text is None else [one.text for one in text.summaries if one.model is not None or one.corrected_by]
    return bool(told) and language_of(" ".join(told), language) is language


def told(text: ChannelText | None, language: Language) -> Answer:
    """What can be told of a channel; that there is nothing, where it is switched off or nobody spoke."""
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
