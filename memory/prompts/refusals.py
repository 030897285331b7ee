"""Tells a model's refusal ("I'm sorry, but I can't help with that.") from an answer, in five languages.

A refusal is short, cites nothing and says in its first words that it will not. "I can't find anything about that" is an
answer: it says what is known.
"""

import re
from typing import Final

from memory.language.text import fold

LONGEST: Final = 400
"""Characters. Whoever says more has said something."""

_SORRY: Final = (
    r"(?:(?:i'm|i am) (?:(?:so|very|really|truly) )?sorry|sorry|i apologi[sz]e|my apologies|unfortunately|"
    r"(?:es )?tut mir (?:(?:sehr|wirklich) )?leid|entschuldig\w*|verzeih\w*|leider|"
    r"(?:je suis )?(?:(?:vraiment|sincerement) )?desole\w*|pardon|malheureusement|"
    r"lo siento(?: mucho)?|lo lamento|perdon\w*|disculp\w*|lamentablemente|desafortunadamente|"
    r"извини\w*|прости\w*|прошу прощения|(?:мне )?(?:очень )?жаль|к сожалению)"
)
_MACHINE: Final = (
    r"(?:as an? (?:ai|artificial intelligence|(?:large )?language model)|"
    r"als (?:eine? )?(?:ki|kunstliche intelligenz|sprachmodell)|"
    r"en tant qu(?:'|e )(?:une? )?(?:ia|intelligence artificielle|modele de langage|modele de langue)|"
    r"como (?:una? )?(?:ia|inteligencia artificial|modelo de lenguaje)|"
    r"(?:как|я) (?:ии|искусственныи интеллект|языковая модель|большая языковая модель))\b"
)
_OBJECT: Final = (
    r"(?:that|this|those|these|it|such|your|you|any|information|instructions|advice|content|medical|legal|financial|"
    r"personal|harmful|illegal|explicit|sexual|violent)"
)
_UNWILLING: Final = (
    # English
    r"(?:i (?:can't|cannot|can not|won't|will not|must decline to|have to decline to|decline to)|"
    r"(?:i am|i'm) (?:unable|not able|not allowed|not permitted|not comfortable)(?: to)?)"
    r" (?:(?:help|assist|comply|fulfill?|engage|participate|discuss|support|generate|create|produce|provide|continue)"
    rf"\w* (?:(?:you|with|in|to|on|about) )*{_OBJECT}\b|(?:help|assist|comply)\w*[.!]|"
    r"(?:answer|respond(?: to)?|do) (?:that|this|your)(?: (?:question|request|prompt))?[.!])",
    r"i (?:must|have to) (?:respectfully )?(?:decline|refuse)\b",
    r"(?:that|this)(?:'s| is) (?:not something i can|something i (?:can't|cannot)) (?:help|assist|discuss|answer)",
    # German
    r"(?:(?:dabei|damit|darauf|daruber|das|dazu|diese\w*(?: \w+)?) )?"
    r"(?:ich (?:kann|darf|werde|mochte)|(?:kann|darf|werde|mochte) ich)(?: \w+){0,5} (?:nicht|keine\w*)(?: \w+){0,3} "
    r"(?:helfen|weiterhelfen|unterstutzen|behilflich|nachkommen|erfullen|beantworten|antworten|sprechen|diskutieren)\b",
    # French
    r"je ne (?:peux|puis|pourrai|suis)(?: malheureusement)? pas (?:(?:en mesure|autorisee?|capable) )?(?:d(?:e |'))?"
    r"(?:(?:vous|te|y|lui) |t')?(?:aider|assister|repondre a (?:cette|cela|ce|votre|ta)|fournir (?:ce|cette|ces|de)|"
    r"discuter de|donner suite|traiter cette|satisfaire|acceder a)\b",
    # Spanish
    r"(?:me temo que )?no (?:puedo|me es posible|me esta permitido|estoy en condiciones de)"
    r" (?:ayudar|asistir|responder a|proporcionar|cumplir|atender|hablar de|discutir|participar)\w*\b",
    # Russian: folded, so й is и
    r"я не (?:могу|смогу|буду|имею права|в состоянии)(?: \w+){0,3} "
    r"(?:помочь|помогать|отвечать на|ответить на (?:этот|это|такои)|обсуждать|предоставить|выполнить|поддержать)\b",
)
_REFUSES: Final = re.compile(
    rf"\s*(?:{_SORRY}[\s,.!:;–—-]*)?(?:(?:but|aber|doch|mais|pero|но|что)\s+)?"
    rf"(?:{_MACHINE}|{'|'.join(_UNWILLING)})".replace(" ", r"\s+")
)


def is_refusal(text: str) -> bool:
    """Whether a reply that cites nothing will not answer."""
    return len(text) <= LONGEST and _REFUSES.match(fold(text)) is not None
