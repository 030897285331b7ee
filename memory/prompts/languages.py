"""What the languages are called in our rules, which are written in English."""

from memory.language.detect import Language

NAMES = {
    Language.EN: "English",
    Language.DE: "German",
    Language.FR: "French",
    Language.ES: "Spanish",
    Language.RU: "Russian",
}
