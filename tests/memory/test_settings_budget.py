"""How much fits: an estimate of tokens, and the choice of what there is room for."""

from pathlib import Path

import pytest
import wordllama

from memory.settings import fitting, tokens

TEXTS = {
    "English": "I moved to Lisbon last spring and the flat is small, but the light in the morning is worth every cent."
    " Are you coming to the party on Saturday? Tom said he would bring his new telescope, so we could look at Saturn!",
    "German": "Ich bin letzten Frühling nach Lissabon gezogen, und die Wohnung ist klein, aber das Licht am Morgen ist"
    " jeden Cent wert. Kommst du am Samstag zur Feier? Tom wollte sein neues Fernrohr mitbringen.",
    "French": "J'ai déménagé à Lisbonne au printemps dernier, l'appartement est petit, mais la lumière du matin vaut"
    " chaque centime. Tu viens à la fête samedi ? Tom a dit qu'il apporterait son nouveau télescope.",
    "Spanish": "Me mudé a Lisboa la primavera pasada y el piso es pequeño, pero la luz de la mañana vale cada céntimo."
    " ¿Vienes a la fiesta el sábado? Tom dijo que traería su telescopio nuevo para ver Saturno.",
    "Russian": "Прошлой весной я переехал в Лиссабон, квартира маленькая, но утренний свет стоит каждого цента. Ты"
    " придёшь на вечеринку в субботу? Том сказал, что принесёт новый телескоп.",
    "Chinese": "去年春天我搬到了里斯本，公寓很小，但早晨的阳光非常值得。你星期六来参加聚会吗？汤姆说他会带新望远镜来。",
    "lines of a prompt": "#kitchen, Mon 23 Jan 2023:\n12 Deborah: In 2019, for 35 euros.\n13 (re 12) Tom: at 14:05?",
}


@pytest.mark.parametrize("language", TEXTS)
def test_tokens_are_estimated_within_a_fifth_of_what_a_tokenizer_counts(language: str) -> None:
    text = TEXTS[language]
    tokenizer = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True).tokenizer
    tokenizer.no_padding()
    counted = len(tokenizer.encode(text, add_special_tokens=False).ids)
    assert abs(tokens(text) - counted) <= counted / 5


def test_what_is_too_long_is_passed_over() -> None:
    assert fitting(["a" * 40, "b" * 400, "c" * 40], 30, str) == ["a" * 40, "c" * 40]
