"""What stands around days, weeks and contexts that were put together without a model, in the five languages."""

from enum import StrEnum

from memory.language.detect import Language


class Say(StrEnum):
    QUOTED = "quoted"
    """A member's day."""
    TODAY = "today"
    TODAY_QUOTED = "today, quoted"
    PERIOD = "period"
    PERIOD_QUOTED = "period, quoted"
    HAPPENED = "happened"
    NOTHING_HAPPENED = "nothing happened"


PHRASES: dict[Language, dict[Say, str]] = {
    Language.EN: {
        Say.QUOTED: "Quoted, not summarised: {who} wrote {text}",
        Say.TODAY: "Today: {text}",
        Say.TODAY_QUOTED: "Today (quoted, not summarised): {text}",
        Say.PERIOD: "{first} to {last}: {text}",
        Say.PERIOD_QUOTED: "{first} to {last} (quoted, not summarised): {text}",
        Say.HAPPENED: "From what was said on {day}, quoted, not summarised:",
        Say.NOTHING_HAPPENED: "In what I may repeat here from {day}, there is nothing that I could quote.",
    },
    Language.DE: {
        Say.QUOTED: "Zitiert, nicht zusammengefasst: {who} schrieb {text}",
        Say.TODAY: "Heute: {text}",
        Say.TODAY_QUOTED: "Heute (zitiert, nicht zusammengefasst): {text}",
        Say.PERIOD: "{first} bis {last}: {text}",
        Say.PERIOD_QUOTED: "{first} bis {last} (zitiert, nicht zusammengefasst): {text}",
        Say.HAPPENED: "Aus dem, was am {day} gesagt wurde, zitiert, nicht zusammengefasst:",
        Say.NOTHING_HAPPENED: "In dem, was ich hier vom {day} wiedergeben darf, ist nichts, das ich zitieren könnte.",
    },
    Language.FR: {
        Say.QUOTED: "Cité, non résumé : {who} a écrit {text}",
        Say.TODAY: "Aujourd'hui : {text}",
        Say.TODAY_QUOTED: "Aujourd'hui (cité, non résumé) : {text}",
        Say.PERIOD: "Du {first} au {last} : {text}",
        Say.PERIOD_QUOTED: "Du {first} au {last} (cité, non résumé) : {text}",
        Say.HAPPENED: "Extraits de ce qui s'est dit le {day}, cités, non résumés :",
        Say.NOTHING_HAPPENED: "Dans ce que je peux répéter ici du {day}, il n'y a rien que je puisse citer.",
    },
    Language.ES: {
        Say.QUOTED: "Citado, no resumido: {who} escribió {text}",
        Say.TODAY: "Hoy: {text}",
        Say.TODAY_QUOTED: "Hoy (citado, no resumido): {text}",
        Say.PERIOD: "Del {first} al {last}: {text}",
        Say.PERIOD_QUOTED: "Del {first} al {last} (citado, no resumido): {text}",
        Say.HAPPENED: "De lo que se dijo el {day}, citado, no resumido:",
        Say.NOTHING_HAPPENED: "En lo que puedo repetir aquí del {day} no hay nada que pueda citar.",
    },
    Language.RU: {
        Say.QUOTED: "Цитаты, не пересказ: {who} пишет {text}",
        Say.TODAY: "Сегодня: {text}",
        Say.TODAY_QUOTED: "Сегодня (цитаты, не пересказ): {text}",
        Say.PERIOD: "С {first} по {last}: {text}",
        Say.PERIOD_QUOTED: "С {first} по {last} (цитаты, не пересказ): {text}",
        Say.HAPPENED: "Из сказанного {day}, цитаты, не пересказ:",
        Say.NOTHING_HAPPENED: "В том, что я могу повторить здесь за {day}, нет ничего, что можно процитировать.",
    },
}
