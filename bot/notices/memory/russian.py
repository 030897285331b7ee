"""What is said in Russian about the facts that are held about members, and who did what to them."""

from bot.notices.notice import Notice

NOTICES = {
    Notice.MEMORY_OF_YOU: "**Что я знаю о тебе**",
    Notice.MEMORY_OF: "**Что я знаю о {name}, насколько ты можешь это прочитать**",
    Notice.MEMORY_NONE_OF_YOU: "Я не знаю о тебе ничего, что было сказано там, где ты можешь читать.",
    Notice.MEMORY_NONE_OF: "Я не знаю о {name} ничего, что тебе можно услышать.",
    Notice.MEMORY_PAGE: "Страница {page} из {pages}",
    Notice.MEMORY_CHOOSE: "Выбери номер, чтобы что-то с этим сделать.",
    Notice.SAID_BY_YOU: "сказано тобой",
    Notice.SAID_BY: "{name} говорит сам",
    Notice.CONFIRMED_BY_YOU: "{teller} так говорит, и ты подтвердил",
    Notice.CONFIRMED_BY: "{teller} так говорит, и {name} подтвердил",
    Notice.TOLD_BY: "{teller} так говорит",
    Notice.SINCE: "с {when}",
    Notice.UNTIL: "до {when}",
    Notice.MESSAGE_LINK: "сообщение",
    Notice.MAY_BE_KNOWN: "знать могут все",
    Notice.HIDDEN_BY_YOU: "скрыто тобой: видишь только ты",
    Notice.HIDDEN_BY: "скрыто ({who}): видишь только ты",
    Notice.HIDDEN_BY_RULE: (
        "больше никому не говорится: этот сервер не хочет рассказов о других. Если подтвердишь, это снова будет сказано"
    ),
    Notice.WITHHELD: "*скрыто ({who})*",
    Notice.ACT_CONFIRM: "Подтвердить",
    Notice.ACT_CORRECT: "Исправить",
    Notice.ACT_HIDE: "Скрыть",
    Notice.ACT_SHOW_AGAIN: "Снова показать",
    Notice.ACT_FORGET: "Забыть",
    Notice.ACT_BACK: "Назад",
    Notice.DONE_CONFIRM: "Подтверждено. Теперь это твоё собственное слово: {fact}",
    Notice.DONE_CORRECT: "Исправлено. Теперь я храню твои слова: {fact}",
    Notice.DONE_VETO: "Убрано. Я этого не храню, и никто другой не сможет снова сказать мне это о тебе.",
    Notice.DONE_NOT_ME: (
        "Убрано из того, что я знаю о тебе, и никто не сможет снова сказать мне это о тебе. О других, кого "
        "это касается, остаётся."
    ),
    Notice.DONE_HIDE: "Скрыто. Теперь никто, кроме тебя, этого от меня не услышит.",
    Notice.DONE_HIDE_OTHERS: "Скрыто. Теперь этого не услышит от меня никто, кроме того, о ком это сказано.",
    Notice.DONE_SHOW_AGAIN: "Больше не скрыто: кто мог слышать это раньше, снова может.",
    Notice.DONE_FORGET: "Забыто.",
    Notice.DONE_BEFORE: "Так и было; ничего не изменилось.",
    Notice.DONE_UNSAID: "Сделано.",
    Notice.OTHERS_NOT_TOLD: (
        "Этот сервер не хочет рассказов о других, поэтому я не могу снова это показать. Тот, о ком это "
        "сказано, может подтвердить."
    ),
    Notice.CORRECT_TITLE: "Своими словами",
    Notice.CORRECT_FIELD: "Что верно вместо этого?",
    Notice.AUDIT_TITLE: "**Кто смотрел или менял то, что я знаю о других**",
    Notice.AUDIT_TITLE_OF: "**Кто смотрел или менял то, что я знаю о {name}**",
    Notice.AUDIT_NONE: "За последние 365 дней ничего такого не записано.",
    Notice.AUDIT_THE_SERVER: "сервер",
    Notice.DEED_LOOKED: "смотрел",
    Notice.DEED_TOLD: "рассказал мне что-то",
    Notice.DEED_REPLACED: "заменил",
    Notice.DEED_FORGOT: "попросил забыть",
    Notice.DEED_EDITED: "сказал другими словами",
    Notice.DEED_UNDID: "отменил",
    Notice.DEED_VETOED: "опроверг",
    Notice.DEED_HID: "скрыл",
    Notice.DEED_SHOWED_AGAIN: "снова показал",
    Notice.DEED_KEPT_ON: "сохранил сказанное в удалённом сообщении",
    Notice.DEED_SHOWED_CHANNEL: "смотрел канал",
    Notice.DEED_EXPORTED_CHANNEL: "выгрузил канал",
    Notice.DEED_ERASED_CHANNEL: "стёр канал",
    Notice.FACT_RULES: (
        "• Рассказы участников о других: {about_others}\n• Модераторам с чужими фактами можно: {moderators}"
    ),
    Notice.ABOUT_OTHERS_YES: "хранится",
    Notice.ABOUT_OTHERS_NO: "не хранится и не рассказывается",
    Notice.MODERATORS_NOTHING: "ничего",
    Notice.MODERATORS_HIDE: "скрывать их",
    Notice.MODERATORS_REMOVE: "скрывать их и просить забыть",
}
