"""The notices in Russian."""

from bot.notices.notice import Notice

NOTICES = {
    Notice.NOT_DONE: ("Сейчас моя память недоступна, поэтому ничего не изменено. Попробуйте ещё раз чуть позже."),
    Notice.ONLY_MANAGERS: "Это может изменить только тот, кто управляет сервером.",
    Notice.LOG_SETTINGS: (
        "**Журнал этого сервера**\n• Сохраняются: {consent}\n• Сообщения хранятся: {kept}\n"
        "• Пересказы хранятся: {summaries}\n"
        "• То, что просили запомнить, хранится: {facts}\n"
        "• Каналы, которые не сохраняются: {channels}\n• Роли, которые не сохраняются: {roles}"
    ),
    Notice.LOG_CLEANED: "Удалено, потому что больше не должно храниться: {what}",
    Notice.SO_MANY_MESSAGES: "сообщений — {count}",
    Notice.SO_MANY_FACTS: "фактов — {count}",
    Notice.CONSENT_OPT_OUT: "все, кто не использовал `/privacy opt-out`",
    Notice.CONSENT_OPT_IN: "только те, кто использовал `/privacy opt-in`",
    Notice.KEPT_FOREVER: "пока не будут удалены",
    Notice.KEPT_DAYS: "дней: {days}",
    Notice.KEPT_UNTIL_FORGOTTEN: "пока не попросят забыть",
    Notice.KEPT_AFTER_TELLING: "дней с последнего раза: {days}",
    Notice.NONE: "нет",
    Notice.SETTINGS: (
        "**Настройки этого сервера**\n"
        "• Часовой пояс: {zone}\n"
        "• Общий зал: то, что могут читать все с ролью {hall}\n"
        "• Где я отвечаю: {speaks}"
    ),
    Notice.SPEAKS_EVERYWHERE: "везде, где мне можно писать",
    Notice.AND_MORE: "{listed} и ещё {count}",
    Notice.SET_UP_ON: "-# Настроено {when}",
    Notice.SETUP_SUGGESTED: (
        "На этом сервере меня ещё никто не настроил. `/innkeeper setup` делает это за две минуты и завершается "
        "объявлением для участников."
    ),
    Notice.REMOVAL_ASK: "⚠️ Это удалит навсегда: {what}. Продолжить?",
    Notice.REMOVAL_YES: "Изменить и удалить",
    Notice.REMOVAL_NO: "Оставить как есть",
    Notice.NOTHING_CHANGED: "Ничего не изменено.",
    Notice.CLEANED_LATER: (
        "Не всё, чего больше не должно быть в журнале, удалось удалить сейчас; остальное исчезнет само."
    ),
    Notice.ZONE_UNKNOWN: "«{typed}» — такого часового пояса я не знаю.",
    Notice.ZONE_NEAR: "Может быть, {zones}?",
    Notice.ZONE_HINT: "Попробуйте ближайший крупный город латиницей, например Berlin или New York.",
    Notice.SETUP_STEP: "-# Шаг {number} из {count}. До сохранения в конце ничего не меняется.",
    Notice.SETUP_BACK: "Назад",
    Notice.SETUP_NEXT: "Далее",
    Notice.SETUP_SKIP: "Пропустить",
    Notice.SETUP_CANCEL: "Отмена",
    Notice.SETUP_CANCELLED: "Ничего не изменено. `/innkeeper setup` начнёт заново.",
    Notice.RAN_OUT: "Время истекло, ничего не изменено. Пожалуйста, используйте команду ещё раз.",
    Notice.ZONE_TITLE: "Часовой пояс",
    Notice.ZONE_WORDS: "От него зависит, когда в моей памяти начинается и кончается день и что значит «вчера».",
    Notice.ZONE_CHOSEN: "Выбрано: **{zone}** ({offset}; сейчас там {time})",
    Notice.ZONE_MENU: "Выбрать часовой пояс",
    Notice.ZONE_TYPE: "Ввести другой",
    Notice.ZONE_FIELD: "Город или пояс латиницей, напр. Moscow",
    Notice.HALL_TITLE: "Общий зал",
    Notice.HALL_WORDS: (
        "Общий зал — это каналы, которые могут читать все с определённой ролью. Сказанное там я могу им повторять; "
        "сказанное в других местах там и остаётся."
    ),
    Notice.HALL_OPENS: "Выбрано: {role}. Людей с этой ролью: {people}. Открываемые каналы ({count}): {channels}",
    Notice.HALL_OPENS_NOTHING: (
        "Выбрано: {role}. Людей с этой ролью: {people}. Нет канала, который могут читать все они, поэтому ничто не "
        "повторялось бы вне места, где было сказано."
    ),
    Notice.HALL_UNKNOWN: (
        "Выбрано: {role}. Я пока не вижу, кто какие каналы может читать, и не могу перечислить, что она откроет; "
        "до тех пор всё остаётся там, где сказано."
    ),
    Notice.HALL_MENU: "Выбрать роль",
    Notice.HALL_PROPOSED: "Моё предложение: {role}",
    Notice.EXCEPT_TITLE: "Что не сохраняется",
    Notice.EXCEPT_WORDS: (
        "Я ничего не сохраняю из этих каналов и их веток и от участников с этими ролями. То, что у меня уже есть, "
        "удаляется при сохранении."
    ),
    Notice.EXCEPT_CHANNELS: "Каналы, которые не сохраняются",
    Notice.EXCEPT_ROLES: "Роли, которые не сохраняются",
    Notice.MENU_IS_FULL: (
        "В меню помещается не больше {shown}; остальное не меняется, его можно изменить через `/settings`."
    ),
    Notice.SPEAK_TITLE: "Где я отвечаю",
    Notice.SPEAK_WORDS: (
        "Я пишу только в этих каналах. В остальных слушаю и отвечаю на обращение реакцией; `/ask` работает везде. "
        "Ничего не выбрано: везде, где мне можно писать."
    ),
    Notice.SPEAK_MENU: "Каналы, где я отвечаю",
    Notice.CONSENT_TITLE: "Кого сохранять",
    Notice.CONSENT_WORDS: (
        "Каждый участник решает за себя; это действует для тех, кто ничего не сказал. Если сохранять только "
        "согласных, сообщения всех остальных удаляются при сохранении."
    ),
    Notice.CONSENT_MENU: "Выбрать, кого сохранять",
    Notice.CONSENT_OUT: "Все, кто не отказался",
    Notice.CONSENT_OUT_HINT: "Сохраняются, пока не используют /privacy opt-out",
    Notice.CONSENT_IN: "Только те, кто согласился",
    Notice.CONSENT_IN_HINT: "Не сохраняются, пока не используют /privacy opt-in",
    Notice.SUMMARY_TITLE: "Итог",
    Notice.WILL_REMOVE: "⚠️ При сохранении навсегда удаляется: {what}.",
    Notice.WILL_REMOVE_SOME: (
        "⚠️ При сохранении из журнала удаляется то, чего там больше не должно быть. Сосчитать это сейчас не могу."
    ),
    Notice.NOTICE_WHERE: "**Объявление для участников**, для публикации в {channel}:",
    Notice.NOTICE_NOWHERE: "**Объявление для участников**; выберите ниже, где его опубликовать:",
    Notice.NOTICE_MENU: "Где опубликовать объявление",
    Notice.NOTICE_MAY_NOT: (
        "⚠️ Мне нельзя писать в {channel}. Дайте мне там «Просмотр канала» и «Отправку сообщений» или выберите "
        "другой канал."
    ),
    Notice.SAVE_AND_POST: "Сохранить и опубликовать",
    Notice.SAVE_ONLY: "Сохранить без объявления",
    Notice.OVERTAKEN: (
        "⚠️ Тем временем кто-то изменил настройки, поэтому пока ничего не сохранено. Вот какими они станут; "
        "проверьте ещё раз."
    ),
    Notice.SAVED: "Сохранено. `/settings show` показывает настройки, `/settings` меняет их.",
    Notice.NOTICE_POSTED: "Объявление опубликовано в {channel}.",
    Notice.NOTICE_NOT_POSTED: (
        "Объявление не удалось опубликовать в {channel}. Дайте мне там «Просмотр канала» и «Отправку сообщений» и "
        "снова используйте `/innkeeper setup`."
    ),
    Notice.HOUSE_NOTICE: (
        "**Я помню этот сервер.** {stored} Ещё я храню то, что меня просят запомнить ({facts}). "
        "Сказанное в закрытом канале не повторяется там, где это могли бы прочитать другие, а удалённое "
        "в Discord удаляется и здесь.\n"
        "• `/privacy show`: что у меня есть о вас; `/privacy export`: всё одним файлом; `/privacy erase`: всё "
        "исчезнет\n"
        "• `/privacy opt-out`: я не сохраняю ни того, что вы пишете, ни того, что о вас, а сохранённое исчезнет\n"
        "• `/innkeeper about`: как со мной говорить"
    ),
    Notice.HOUSE_STORES_ALL: "Я храню сообщения каналов, которые могу читать ({kept}).",
    Notice.HOUSE_STORES_AGREED: (
        "Я храню сообщения тех, кто согласился через `/privacy opt-in`, из каналов, которые могу читать ({kept})."
    ),
    Notice.USAGE_ONLY_MANAGERS: "Это могут видеть только те, кто управляет этим сервером.",
    Notice.USAGE_UNKNOWN: "Сейчас я не могу заглянуть в свои записи. Попробуйте ещё раз чуть позже.",
    Notice.USAGE_TITLE: "**Использование моделей на этом сервере**",
    Notice.USAGE_NO_MODEL: "Языковой модели здесь нет: я отвечаю цитатами, и ничего не расходуется.",
    Notice.USAGE_BUDGET: (
        "Бюджет на сегодня: израсходовано токенов {spent} из {budget}, осталось {left} %. Новый день начнётся {when}."
    ),
    Notice.USAGE_NO_BUDGET: "Дневного бюджета нет.",
    Notice.USAGE_TODAY: "Сегодня",
    Notice.USAGE_WEEK: "Последние 7 дней",
    Notice.USAGE_MONTH: "Последние 30 дней",
    Notice.USAGE_SUM: "всего токенов {tokens}",
    Notice.USAGE_NOTHING: "ничего",
    Notice.USAGE_CALLS: "вызовы {calls}",
    Notice.USAGE_FAILED: "неудачные {failed}",
    Notice.USAGE_TOKENS: "токены {tokens_in} отправлено, {tokens_out} получено",
    Notice.USAGE_SECONDS: "по {seconds} с",
    Notice.USAGE_ANSWER: "ответы",
    Notice.USAGE_SUMMARISE: "сводки",
    Notice.USAGE_SMALL: "мелкие задачи",
    Notice.USAGE_EMBED: "векторы",
    Notice.USAGE_ESTIMATED: "-# ~ отчасти оценка: не каждая модель сообщает, сколько токенов она взяла.",
    Notice.USAGE_VECTORS_APART: "-# Векторы в бюджет не входят.",
    Notice.USAGE_NO_PRICE: "-# Цена {models} неизвестна. Её может указать тот, кто меня запускает (`MODEL_PRICES`).",
}
