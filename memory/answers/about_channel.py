"""What was talked about in a channel, told to somebody who asks for nothing more particular: "where were we?", "tl;dr".

From the summary, sentence by sentence with what each rests on, and from what was said since, quoted; where nobody has
summed anything up yet, all of it is quoted.
"""

import re

from memory.answers.quote import Line, answer_of
from memory.answers.quote_phrases import Say
from memory.channels.service import ChannelText
from memory.channels.values import NUMBERS, lines_of
from memory.core.outcomes import Answer
from memory.core.values import Source
from memory.language.detect import Language
from memory.language.text import fold, words_in
from memory.language.wording import wording

LONGEST_ASKED = 12
"""Words. Whoever says more asks for something more particular."""

# On folded words: without case, accents and signs.
_ASKED = re.compile(
    r"(?:hey |so |ok |okay |please |also |bitte |alors |entonces |ну |так )*+(?:"
    # English
    r"(?:and )?where were we|where (?:did|had) we (?:leave|left|stop|stopped)(?: off)?|tl dr|tldr"
    r"|what (?:have|had|did|were|are) (?:we|you(?: all| guys)?|they|people|everyone) (?:been )?"
    r"(?:talk|talked|talking|discuss|discussed|discussing)(?: about)?(?: with each other)?"
    r"|what (?:was|has been|is being|is) (?:being )?(?:said|discussed|talked about)"
    r"|what (?:is|was) (?:this (?:channel|thread|conversation|chat|talk)|the (?:conversation|talk|discussion)|"
    r"it all|all this) about"
    r"|(?:can you |could you )?(?:give (?:me|us) )?(?:a |the )?(?:quick |short )?(?:summary|recap|rundown)"
    r"(?: of (?:this|the|our) (?:channel|thread|conversation|chat|talk|discussion))?"
    r"|(?:can you |could you )?(?:sum|summarise|summarize|recap)(?: up)?(?: it| this| (?:this|the|our) "
    r"(?:channel|thread|conversation|chat|talk|discussion))?(?: up)?"
    # German
    r"|wo waren wir(?: (?:stehen geblieben|stehengeblieben|gerade))?|wo sind wir (?:stehen ?geblieben)"
    r"|(?:woruber|uber was) (?:haben|hatten) (?:wir|sie|die|alle) (?:HERE )?"
    r"(?:geredet|gesprochen|diskutiert|geschrieben)"
    r"|worum (?:ging|geht) es|was wurde (?:HERE )?(?:gesagt|besprochen|geschrieben)"
    r"|(?:eine |kurze |die )*+zusammenfassung"
    r"|fass(?:e)?(?: (?:das|es|alles|den kanal|das gesprach))?(?: HERE)?(?: mal)? zusammen"
    # French
    r"|ou en (?:etions nous|etait on)|on en etait ou|(?:de quoi|d quoi) (?:avons nous|on a|ont ils|vous avez|a t on) "
    r"(?:HERE )?(?:parle|discute)|de quoi (?:on |ca |il )?(?:parle|parlait|s agit)(?: on| t on| il)?"
    r"|qu est ce qui s est dit|(?:un |le |fais |fais nous |fais moi )*+resume(?: (?:de|du) (?:la |cette )?"
    r"(?:conversation|discussion|salon|fil))?"
    # Spanish
    r"|(?:por |en )?donde (?:estabamos|ibamos|nos quedamos)|en que (?:nos quedamos|estabamos|ibamos)"
    r"|de que (?:hemos|habeis|han|se ha|estabamos|estaban) (?:estado )?(?:hablado|hablando|discutido)"
    r"|de que (?:hablamos|hablabamos|hablaron|se hablo|va(?: esto| este canal)?)"
    r"|(?:un |el |haz |haznos |hazme )*+resumen(?: de (?:la |esta )?(?:conversacion|charla|este canal))?"
    # Russian
    r"|на ч[её]м мы остановились"
    r"|о ч[её]м (?:мы |вы |они |шла |был )?(?:HERE )?(?:говорили|разговаривали|общались|речь|разговор)"
    r"|о ч[её]м (?:этот )?(?:канал|чат|разговор)|(?:краткое |кратко )?(?:содержание|итоги|резюме|пересказ)"
    r"(?: (?:разговора|беседы|чата))?|(?:перескажи|подытожь|резюмируй)(?: (?:разговор|чат|беседу|все|это))?"
    r")(?: (?:HERE|so far|before|earlier|lately|just now|again|please|then|up to now|bisher|gerade|eben|vorhin|zuletzt|"
    r"denn|nochmal|bitte|jusqu ici|deja|avant|encore|svp|hasta ahora|antes|ya|por favor|до этого|раньше|только что|"
    r"пожалуйста))*+".replace(
        "HERE",
        "(?:in |in this |dans |en |в )?(?:here|hier|ici|aqui|здесь|тут|this channel|diesem kanal|ce salon|este canal)",
    )
)


def asks_for_channel(text: str) -> bool:
    """Whether a question wants to know what was talked about here, and nothing more particular."""
    words = [word.text for word in words_in(fold(text[:200]))]
    return 0 < len(words) <= LONGEST_ASKED and _ASKED.fullmatch(" ".join(words)) is not None


def told(text: ChannelText | None, language: Language) -> Answer:
    """What can be told of a channel; that there is nothing, where it is switched off or nobody spoke."""
    if text is None or not (text.summaries or text.extract):
        return Answer(wording(language, Say.NOTHING_TALKED))
    lines: list[Line] = []
    for summary in text.summaries:
        is_quoted = summary.model is None and summary.corrected_by is None
        if not lines:
            lines.append(Line(wording(language, Say.QUOTING if is_quoted else Say.TALKED)))
        lines += [Line(f"• {one.text}", Source(one.channel_id, one.message_id)) for one in lines_of(summary)]
        if summary.corrected_by is not None:
            lines.append(Line(f"-# {wording(language, Say.CORRECTED, person=f'<@{summary.corrected_by}>')}"))
    if text.extract is not None:
        lines.append(Line(wording(language, Say.TALKED_SINCE if lines else Say.QUOTING)))
        quotes = zip(text.extract.text.splitlines(), text.extract.cites, strict=True)
        lines += [Line(f"• {NUMBERS.sub('', line).rstrip()}", Source(text.channel_id, cited)) for line, cited in quotes]
    return answer_of(lines, text.read)
