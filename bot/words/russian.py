"""The notices in Russian."""

from bot.words.keys import Notice, Phrase

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


# What is said in Russian about the facts that are held about members, and who did what to them.


MEMORY_NOTICES = {
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
    Notice.WITHHELD: "больше никому не говорится: этот сервер не хочет рассказов о других",
    Notice.ACT_CONFIRM: "Подтвердить",
    Notice.ACT_CORRECT: "Исправить",
    Notice.ACT_FORGET: "Забыть",
    Notice.ACT_REMOVE: "Убрать",
    Notice.ACT_BACK: "Назад",
    Notice.DONE_CONFIRM: "Подтверждено. Теперь это твоё собственное слово: {fact}",
    Notice.DONE_CORRECT: "Исправлено. Теперь я храню твои слова: {fact}",
    Notice.DONE_VETO: "Убрано. Я этого не храню, и никто другой не сможет снова сказать мне это о тебе.",
    Notice.DONE_NOT_ME: (
        "Убрано из того, что я знаю о тебе, и никто не сможет снова сказать мне это о тебе. О других, кого "
        "это касается, остаётся."
    ),
    Notice.DONE_FORGET: "Забыто.",
    Notice.DONE_BEFORE: "Так и было; ничего не изменилось.",
    Notice.DONE_UNSAID: "Сделано.",
    Notice.CORRECT_TITLE: "Своими словами",
    Notice.CORRECT_FIELD: "Что верно вместо этого?",
    Notice.AUDIT_TITLE: "**Кто смотрел или менял то, что я знаю о других**",
    Notice.AUDIT_TITLE_OF: "**Кто смотрел или менял то, что я знаю о {name}**",
    Notice.AUDIT_NONE: "За последние 365 дней ничего такого не записано.",
    Notice.AUDIT_THE_SERVER: "сервер",
    Notice.DEED_LOOKED: "смотрел",
    Notice.DEED_TOLD: "рассказал мне что-то",
    Notice.DEED_REPLACED: "заменил что-то",
    Notice.DEED_FORGOT: "попросил что-то забыть",
    Notice.DEED_EDITED: "сказал что-то другими словами",
    Notice.DEED_UNDID: "отменил что-то",
    Notice.DEED_VETOED: "опроверг что-то",
    Notice.DEED_SHOWED_CHANNEL: "смотрел канал",
    Notice.DEED_EXPORTED_CHANNEL: "выгрузил канал",
    Notice.DEED_ERASED_CHANNEL: "стёр канал",
    Notice.DEED_CHANGED_KEEPING: "заново решил, что хранится",
    Notice.FACT_RULES: (
        "• Рассказы участников о других: {about_others}\n• Модераторам с чужими фактами можно: {moderators}"
    ),
    Notice.ABOUT_OTHERS_YES: "хранится",
    Notice.ABOUT_OTHERS_NO: "не хранится и не рассказывается",
    Notice.MODERATORS_NOTHING: "ничего",
    Notice.MODERATORS_REMOVE: "просить их забыть",
    Notice.SECOND_LOOK: "• Если языковой модели чего-то не хватает: {wanted}",
    Notice.SECOND_LOOK_YES: "ищу ещё раз и спрашиваю её снова",
    Notice.SECOND_LOOK_NO: "спрашиваю её только один раз",
}


# What is said in Russian about what is held, to whom it belongs, and its end.


PRIVACY_NOTICES = {
    Notice.OPT_OUT_ASK: (
        "Больше ничего о вас на этом сервере не сохранять и удалить то, что у меня есть? Исчезнут ваши сообщения, мои "
        "ответы на них, то, что вы рассказали о себе, и то, что другие рассказали о вас. Отменить это нельзя. То, что "
        "вы рассказали о других, остаётся.\n"
        "Ваши сообщения в Discord останутся как есть. Копию прежде даст `/privacy export`."
    ),
    Notice.OPT_OUT_YES: "Не сохранять и удалить",
    Notice.NOT_OPTED_OUT: "Ничего не изменилось: вас сохраняют, как прежде.",
    Notice.OPTED_OUT: (
        "С этого момента я не сохраняю ничего из того, что вы пишете на этом сервере, и ничего из того, что другие "
        "рассказывают о вас; ваше имя мне больше ничего не говорит. Если вы обратитесь ко мне, я отвечу, но ничего не "
        "сохраню. То, что у меня было, удалено:"
    ),
    Notice.OPTED_OUT_NEXT: (
        "То, что вы рассказали о других, остаётся. Чтобы удалить и это, используйте `/privacy erase`; чтобы вас снова "
        "сохраняли — `/privacy opt-in`."
    ),
    Notice.OPTED_IN: (
        "С этого момента я сохраняю то, что вы пишете на этом сервере, там, где могу это читать, и то, что другие "
        "рассказывают о вас. Чтобы прекратить, используйте `/privacy opt-out`; чтобы удалить — `/privacy erase`."
    ),
    Notice.ERASE_ASK: (
        "Удалить всё, что у меня есть о вас на этом сервере? Исчезнут ваши сообщения, мои ответы на них, то, что "
        "вы мне рассказали, и то, что другие рассказали о вас. Отменить это нельзя, и ничего из этого не "
        "вернётся.\nВаши сообщения в Discord останутся как есть. То, что вы напишете после этого, снова будет "
        "сохраняться, если вы не используете ещё и `/privacy opt-out`. Копию прежде даст `/privacy export`."
    ),
    Notice.ERASE_YES: "Удалить всё",
    Notice.ERASE_NO: "Оставить",
    Notice.ERASED: "Удалено.",
    Notice.ERASED_NOTHING: "Удалять было нечего.",
    Notice.NOT_ERASED: "Ничего не удалено.",
    Notice.ERASING: (
        "Удаляю: {done} из {total} сообщений …\n"
        "-# Это решено: если меня прервут, остальное исчезнет само, и ничего не вернётся."
    ),
    Notice.ERASING_GOES_ON: (
        "Это длится дольше, чем Discord позволяет мне здесь сообщать. Всё продолжится само; загляните позже."
    ),
    Notice.ERASE_BROKE_OFF: (
        "Посреди работы, после {done} из {total} сообщений, моя память стала недоступна. Всё равно это решено: "
        "остальное исчезнет само, обычно в течение часа, и ничего не вернётся."
    ),
    Notice.TAKING_BACK: "Мои ответы в Discord, сделанные из этого ({count}), я сейчас забираю назад.",
    Notice.GONE_YOUR_MESSAGES: "ваши сообщения",
    Notice.GONE_MESSAGES: "сообщения",
    Notice.GONE_REPLIES: "мои ответы на это или из этого",
    Notice.GONE_EARLY_EDITS: "правки, ждавшие своего сообщения",
    Notice.GONE_ADDRESSED: "пометки, что что-то было сказано мне",
    Notice.GONE_YOUR_FACTS: "рассказанное вами",
    Notice.GONE_FACTS_OF_YOURSELF: "рассказанное вами о себе",
    Notice.GONE_FACTS: "факты",
    Notice.GONE_OF_OTHERS: (
        "Исчезло и то, что другие рассказали мне о вас, где бы это ни было, и всё, что из этого было составлено. Мои "
        "ответы в Discord, которые это повторяют, я сейчас забираю назад."
    ),
    Notice.GONE_FACTS_FROM: "факты из этих сообщений",
    Notice.GONE_FACTS_REPLACED: "более старые факты, которые они заменили",
    Notice.GONE_SUMMARIES: "пересказы",
    Notice.GONE_CONTEXTS: "тексты, собранные из этого",
    Notice.GONE_VETOES: "пометки о том, что неправда",
    Notice.GONE_CHANGES: "изменения, которые можно было отменить",
    Notice.GONE_RECEIPTS: "записи о том, из чего были мои ответы",
    Notice.GONE_AUDIT: "строки журнала проверки",
    Notice.GONE_NAMES: "имена",
    Notice.HELD_TITLE: "**Что у меня есть о вас на этом сервере**",
    Notice.HELD_NOTHING: "Ничего.",
    Notice.HELD_MESSAGES: "ваши сообщения",
    Notice.HELD_EARLY_EDITS: "правки, ждущие своего сообщения",
    Notice.HELD_FACTS_TOLD: "рассказанное вами",
    Notice.HELD_FACTS_ABOUT: "рассказанное о вас другими",
    Notice.HELD_FACTS_HERE: "рассказанное там",
    Notice.HELD_DAYS: "пересказанные дни",
    Notice.HELD_HISTORIES: "пересказанные недели",
    Notice.HELD_CONTEXTS: "тексты, собранные из всего этого",
    Notice.HELD_NAMES: "имена, по которым я вас нахожу",
    Notice.HELD_RECEIPTS: "записи о том, из чего мои ответы",
    Notice.HELD_CHANGES: "тексты для отмены, не дольше дня",
    Notice.HELD_VETOES: "пометки о том, что вы назвали неправдой",
    Notice.HELD_SINCE: "с {when}",
    Notice.HELD_SPAN: "с {first} по {last}",
    Notice.HELD_WITHHELD: "другим не говорится {count}",
    Notice.HELD_OVER: "уже неверно {count}",
    Notice.HELD_ELSEWHERE: (
        "-# Рассказанное о вас там, где вы не можете читать, здесь не показано — и не сказано, есть ли оно. "
        "`/privacy erase` и `/privacy opt-out` касаются и его."
    ),
    Notice.DECIDED_TITLE: "**Что вы решили**",
    Notice.DECIDED_STORED: "ничего; на этом сервере сохраняются все, кто не отказался",
    Notice.DECIDED_NOT_STORED: "ничего; на этом сервере сохраняются только те, кто согласился",
    Notice.DECIDED_IN: "сохраняться, {when}",
    Notice.DECIDED_OUT: "не сохраняться, {when}",
    Notice.DECIDED_ERASED: "последний раз удалено {when}",
    Notice.LOOKS_TITLE: "**Кто это смотрел или менял**",
    Notice.LOOKS_NONE: "никто, кроме вас",
    Notice.KEPT_TITLE: "**Как долго это хранится**",
    Notice.KEPT_EACH: "• сообщения: {messages}\n• пересказы: {summaries}\n• факты: {facts}",
    Notice.NEXT_TITLE: "**Что вы можете сделать**",
    Notice.NEXT_MINE: (
        "• `/privacy export`: всё одним файлом\n"
        "• `/memory show`: каждый факт — подтвердить, исправить, опровергнуть или забыть\n"
        "• `/privacy erase`: всё исчезнет\n"
        "• `/privacy opt-out`: больше ничего не сохраняется, и о вас тоже"
    ),
    Notice.EXPORT_LATE: (
        "Это длится дольше, чем Discord позволяет мне отвечать здесь. Попросите ещё раз в более спокойное время."
    ),
    Notice.EXPORT_UNDER_WAY: (
        "Я ещё собираю файл, о котором вы просили раньше. Он придёт, как только будет готов; тогда попросите ещё раз."
    ),
    Notice.EXPORT_PROGRESS: "Собираю: {done} из {total} сообщений …",
    Notice.EXPORT_READY: (
        "Вот всё, что у меня есть о вас на этом сервере, и откуда оно. Это видите только вы; закройте сообщение, когда "
        "сохраните файл."
    ),
    Notice.EXPORT_READY_CHANNEL: (
        "Вот то, что у меня есть о {channel} и его ветках, насколько вы сами можете это читать. Это видите только вы."
    ),
    Notice.EXPORT_PACKED: "-# Он сжат (gzip), потому что Discord не принимает файл больше.",
    Notice.EXPORT_PARTS: (
        "-# Он сжат и разделён на части ({count}), потому что Discord не принимает файл больше. Соединённые по "
        "порядку, они образуют `.json.gz`."
    ),
    Notice.EXPORT_ABOUT_ME: "Всё, что {bot} хранит о вас на этом сервере, и откуда оно.",
    Notice.EXPORT_ABOUT_CHANNEL: (
        "То, что {bot} хранит об одном канале и его ветках, насколько это может читать тот, кто об этом попросил."
    ),
    Notice.EXPORT_ABOUT_ROOMS: (
        "Здесь нет того, что другие рассказали о вас в местах, которые вы не могли читать, когда просили, и не "
        "сказано, есть ли оно; канал с возрастным ограничением — такое место, если только вы не просите в таком же. "
        "/privacy erase и /privacy opt-out касаются и его."
    ),
    Notice.EXPORT_ABOUT_FORM: "Время — UTC, идентификаторы — из Discord, а ссылка есть там, где вы можете её открыть.",
    Notice.NOT_KNOWN_YET: (
        "Сейчас я не вижу, кто что может читать, и потому не могу сказать, что из этого можно читать вам. Попробуйте "
        "через минуту."
    ),
    Notice.READS_CHANGED: "То, что вы можете читать, только что изменилось. Используйте команду ещё раз.",
    Notice.CHANNEL_TITLE: "**Что у меня есть о {channel} и его ветках**",
    Notice.CHANNEL_CLOSED: (
        "Отсюда вы сами не можете перечитать {channel}, поэтому я не показываю и не отдаю то, что у меня о нём есть. "
        "`/channel-memory erase` работает всё равно."
    ),
    Notice.CHANNEL_NEXT: (
        "• `/channel-memory export`: всё одним файлом\n"
        "• `/channel-memory erase`: всё исчезнет\n"
        "• `/settings log exclude-channel`: больше ничего из него не сохраняется"
    ),
    Notice.CHANNEL_ERASE_ASK: (
        "Удалить всё, что у меня есть о {channel} и его ветках? Сказанное там исчезнет у меня для всех, вместе с "
        "рассказанными там фактами и всем, что из этого сделано. Отменить это нельзя, и ничего не вернётся.\n"
        "Сообщения в Discord останутся как есть. То, что там напишут после этого, снова будет сохраняться, если вы не "
        "используете ещё и `/settings log exclude-channel`."
    ),
    Notice.CHANNEL_GONE: "О {channel} и его ветках:",
    Notice.LEAVE_ASK: (
        "Удалить **всё**, что у меня есть о **{server}**, и покинуть сервер? Сообщения, факты, пересказы, настройки: "
        "всё исчезнет сразу, для всех, и вернуть это нельзя. Если меня просто уберут с сервера, я храню это семь дней."
    ),
    Notice.LEAVE_YES: "Удалить всё, покинуть {server}",
    Notice.LEAVE_NO: "Остаться",
    Notice.LEAVE_STAYS: "Я остаюсь, и ничего не удалено.",
    Notice.LEAVE_ERASED: "О **{server}** навсегда удалено:",
    Notice.LEAVE_GOODBYE: "Я ухожу. До свидания.",
    Notice.LEAVE_NOT_LET: (
        "Всё удалено, но Discord не дал мне уйти. Уберите меня в настройках сервера: пока я здесь, я снова сохраняю "
        "то, что пишут."
    ),
}


# The bot's sentences in Russian.


PHRASES = {
    Phrase.REMEMBERED: "Запомню. {name}: {fact}",
    Phrase.REMEMBERED_ABOUT_SERVER: (
        "Я не узнал здесь никого из участников, поэтому запомню это о самом сервере: {fact}\n"
        "Если это о ком-то, упомяните его: «{bot} запомни, что @имя …»"
    ),
    Phrase.CONFIRMED_BY_TELLING: "Я об этом слышал, а теперь знаю это от вас: {fact}",
    Phrase.ALREADY_KNOWN: "Это я уже знаю: {fact}",
    Phrase.WHICH_MEMBER: "Кто имеется в виду: «{name}»? Выберите ниже или повторите с упоминанием.\n{candidates}",
    Phrase.GUESSED_MEMBER: (
        "Я не знаю никого по имени «{name}». О ком речь? Выберите ниже или повторите с упоминанием.\n{candidates}"
    ),
    Phrase.NONE_OF_THEM: "Никто из них",
    Phrase.MAY_BE_TOLD: "Сейчас я не могу понять, был ли это вопрос или мне нужно это запомнить.",
    Phrase.REMEMBER_THIS: "Запомнить",
    Phrase.NOT_YOUR_CHOICE: "Вопрос был к тому, кто мне это сказал: только он знает, о ком речь.",
    Phrase.TELLING_GONE: "Я больше не нахожу того, что вы написали, поэтому ничего не сделано. Повторите, пожалуйста.",
    Phrase.CHOSEN_TOO_LATE: "Это было слишком давно, чтобы продолжать. Скажи это, пожалуйста, ещё раз.",
    Phrase.REPLACED: "-# Это заменяет:\n{facts}",
    Phrase.KNOWN_BETTER: (
        "{name} говорит о себе другое, поэтому остаётся так: {fact}\nИзменить это может только {name}."
    ),
    Phrase.NOTHING_TO_REMEMBER: (
        "Что мне запомнить? Например: «{bot} запомни, что @имя любит чай», "
        "или ответьте на сообщение: «{bot} запомни это про @имя»."
    ),
    Phrase.SOURCE_NOT_KEPT: (
        "Сообщения, о котором вы говорите, больше нет, или мне нельзя его хранить, поэтому я ничего не запомнил."
    ),
    Phrase.FACT_TOO_LONG: "Это слишком длинно (символов: {length}, можно не больше {limit}). Скажите короче.",
    Phrase.TOLD_ENOUGH: (
        "Вы уже рассказали мне о {name} ({limit} раз), а больше от одного человека я не храню. Это я не "
        "запомнил; сначала попросите меня что-нибудь забыть: «{bot} забудь …»"
    ),
    Phrase.TOLD_ENOUGH_ABOUT_SERVER: (
        "Вы уже рассказали мне об этом сервере ({limit} раз), а больше от одного человека я не храню. Это я "
        "не запомнил; сначала попросите меня что-нибудь забыть: «{bot} забудь …»"
    ),
    Phrase.FORGOTTEN: "Забыто:\n{facts}",
    Phrase.FORGOTTEN_UNSAID: "Это забыто.",
    Phrase.FORGOTTEN_ALL: "Всё, что мне когда-либо и где-либо на этом сервере говорили о вас, забыто.",
    Phrase.UNCLEAR_WHAT: ("Что именно забыть? Пока ничего не забыто; скажите точнее: «{query}»\n{facts}"),
    Phrase.FORGET_THIS: "Забыть это? Пока ничего не забыто; если да, нажми 1.\n{facts}",
    Phrase.WHICH_FACT: (
        "Что из этого мне забыть? Пока ничего не забыто; выбери ниже или скажи точнее: «{query}»\n{facts}"
    ),
    Phrase.NOTHING_FOUND: "Среди того, о чём здесь можно говорить, ничего такого нет, и ничего не забыто: «{query}»",
    Phrase.NOT_KEPT_ANY_MORE: "Этого я больше не храню.",
    Phrase.MAY_NOT_FORGET: "Это я сохраню. Попросить забыть может только {who}:\n{facts}",
    Phrase.CANNOT_LOOK: (
        "Сейчас я не могу заглянуть в свою память и потому не знаю, известно ли мне что-нибудь об этом. "
        "Попробуйте ещё раз чуть позже."
    ),
    Phrase.CANNOT_WRITE: (
        "Сейчас я не могу писать в свою память, поэтому не рассчитывайте, что это сделано. "
        "Повторите, пожалуйста, чуть позже."
    ),
    Phrase.WAS_AWAY: "Меня какое-то время не было.",
    Phrase.TOOK_TOO_LONG: "Это заняло слишком много времени, и я остановился. Попробуйте ещё раз чуть позже.",
    Phrase.UNEXPECTED: "У меня что-то пошло не так, и я не смог закончить. (Запрос {request})",
    Phrase.NOTHING_TO_SAY: "Мне нечего на это сказать.",
    Phrase.WELCOME: "Пожалуйста!",
    Phrase.GREETING: "Привет! Спроси меня о чём-нибудь или скажи, что запомнить: «{bot} запомни, что …».",
    Phrase.FAREWELL: "До следующего раза!",
    Phrase.NOD: "Всегда рад. 🙂",
    Phrase.CUT: "… (обрезано)",
    Phrase.DIRECT_MESSAGE: (
        "Здравствуйте! Я живу на серверах и помню то, что там говорят; здесь я ничего не храню. "
        "Упомяните меня на общем сервере или напишите там «{bot} запомни …»."
    ),
    Phrase.STAYS_HERE: "-# Это останется между теми, кто может читать этот канал.",
    Phrase.STAYS_HERE_ALL_THE_SAME: (
        "-# Это останется между теми, кто может читать этот канал: только тот, о ком это, может своими словами "
        "разрешить знать это всем."
    ),
    Phrase.EVERYONE_MAY_KNOW: "-# Это могут знать все на этом сервере.",
    Phrase.LET_EVERYONE_KNOW: "Это могут знать все",
    Phrase.NOT_YOURS_TO_OPEN: "Это может решить только тот, кто сам рассказал мне это о себе.",
    Phrase.NOTHING_TO_OPEN: "Я этого больше не храню, так что решать нечего.",
    Phrase.ANSWER_ONLY_TO_ME: "Ответить только мне",
    Phrase.NOT_YOUR_ANSWER: (
        "Эта кнопка для того, кто спросил. Спросите меня сами командой `/ask`: ответ увидите только вы."
    ),
    Phrase.QUESTION_GONE: (
        "Я больше не нахожу вашего вопроса и потому не знаю, что вы хотели узнать. "
        "Спросите меня командой `/ask`: ответ увидите только вы."
    ),
    Phrase.ASK_ONLY_ANSWERS: (
        "По команде `/ask` я только отвечаю на вопросы. Чтобы я что-то запомнил или забыл, напишите в канале "
        "«{bot} запомни …» или «{bot} забудь …»."
    ),
    Phrase.ASKED_TOO_SOON: "Не всё сразу, пожалуйста: спросите меня ещё раз {when}.",
    Phrase.ASKED_ENOUGH: "За последний час вы спросили меня об очень многом. Охотно продолжу {when}.",
    Phrase.IN_SECONDS: "примерно через {count} сек.",
    Phrase.IN_MINUTES: "примерно через {count} мин.",
    Phrase.RECALL_HEADING: "🔎 «{query}»{limits}",
    Phrase.RECALL_NOTHING: (
        "По запросу «{query}»{limits} я ничего не нашёл в том, что вы можете читать. Попробуйте другие слова "
        "или меньше ограничений."
    ),
    Phrase.RECALL_FROM: "от {who}",
    Phrase.RECALL_IN: "в {place}",
    Phrase.RECALL_BEFORE: "до {day}",
    Phrase.RECALL_AFTER: "с {day}",
    Phrase.RECALL_SHOW: "показать",
    Phrase.RECALL_GONE: "Того, что было на этой странице, больше нет, или вы больше не можете это читать.",
    Phrase.RECALL_NO_WORDS: "Что мне искать? Дайте мне слова, имя, день или целый вопрос.",
    Phrase.RECALL_NO_PLACE: (
        "Такого канала, который вы можете читать, здесь нет. Пока вы печатаете, я предлагаю те, которые можете."
    ),
    Phrase.RECALL_NO_DAY: (
        "Я не понимаю «{typed}» как день. Попробуйте, например, 2026-03-01, вчера, на прошлой неделе или март."
    ),
    Phrase.RECALL_NO_TIME: (
        "До {before} и с {after} ничего не было сказано: между этими днями нет времени. Поменять местами?"
    ),
    Phrase.UNDO: "Отменить",
    Phrase.EDIT: "Изменить",
    Phrase.NOT_ME: "Это не я",
    Phrase.NOT_TRUE: "Это неправда",
    Phrase.NOT_KEPT_AFTER_ALL: "Отменено: я не храню то, что мне здесь сказали.",
    Phrase.HOLDS_AGAIN: "Отменено. Это снова в силе:\n{facts}",
    Phrase.HOLDS_INSTEAD: "Это снова в силе:\n{facts}",
    Phrase.SAYS_AGAIN: "Отменено. Я храню это, как было:\n{facts}",
    Phrase.AS_IT_WAS: "Отменено: всё как было.",
    Phrase.CHANGED_SINCE: "Ничего не отменено: с тех пор это изменилось.",
    Phrase.HOLDS_NOW: "Сейчас в силе это:\n{facts}",
    Phrase.NOTHING_TO_UNDO: "Здесь больше нечего отменять: это уже отменено или было больше дня назад.",
    Phrase.ONLY_THEY_MAY: "Ничего не изменено. Это может только {who}.",
    Phrase.NOBODY_MAY: "Ничего не изменено: это о сервере, так что никто здесь не имеется в виду.",
    Phrase.OR: "{first} или {last}",
    Phrase.WHO_TOLD: "тот, кто мне это сказал",
    Phrase.WHO_IS_MEANT: "тот, о ком это",
    Phrase.WHO_DID_IT: "тот, кто это сделал",
    Phrase.WHO_MODERATES: "модератор этого сервера",
    Phrase.WHO_MANAGES: "тот, кто управляет сервером",
    Phrase.VETOED_NOT_ME: "{name} говорит, что речь о другом человеке, поэтому я не храню это.",
    Phrase.VETOED_NOT_TRUE: "{name} говорит, что это неправда, поэтому я этого не храню.",
    Phrase.EDIT_TITLE: "Другими словами",
    Phrase.EDIT_FIELD: "Что мне запомнить?",
    Phrase.EDITED: "Изменено. Я запомню о {name}: {fact}",
    Phrase.EDITED_ABOUT_SERVER: "Изменено. Я запомню об этом сервере: {fact}",
    Phrase.EDITED_UNSAID: "Изменено.",
    Phrase.ABOUT_SOMEBODY_ELSE: (
        "Этими словами было бы сказано о ком-то другом, поэтому ничего не изменено. Отмени и скажи заново."
    ),
    Phrase.SAYS_SO_ALREADY: "Так и записано; ничего не изменено.",
    Phrase.NOTHING_TO_EDIT: (
        "Это больше нельзя изменить: я этого уже не храню, или это было сказано больше дня назад. Скажи мне заново."
    ),
    Phrase.NOT_ABOUT_OTHERS: (
        "Я этого не запомнил: те, кто управляет этим сервером, решили, что я не храню того, что участники рассказывают "
        "о других. {name} может сказать мне это сам: «{bot} запомни, что я …»"
    ),
    Phrase.SUBJECT_OPTED_OUT: (
        "Я этого не запомнил: речь о человеке, который не хочет, чтобы я хранил здесь что-либо о нём."
    ),
    Phrase.YOU_OPTED_OUT: (
        "Я этого не запомнил: вы отказались от хранения, поэтому о вас я ничего не храню. С `/privacy "
        "opt-in` снова смогу."
    ),
    Phrase.DENIED_BEFORE: (
        "Я этого не запомнил: {name} говорит, что это неправда. Сказать мне это может только этот участник."
    ),
    Phrase.SOURCES_CHANGE: (
        "То, что я хотел сказать, взято из того, что прямо сейчас удаляют или изменяют."
        " Спросите меня ещё раз чуть позже."
    ),
    Phrase.TAKEN_BACK: "Я забрал этот ответ назад: что-то, из чего он был составлен, с тех пор удалили или изменили.",
    Phrase.NOT_FOR_ALL: (
        "Я забрал этот ответ назад: не все, кто теперь может его прочесть, могли прочесть то, из чего он был составлен."
    ),
}
