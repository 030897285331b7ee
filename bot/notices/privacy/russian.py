"""What is said in Russian about what is held, to whom it belongs, and its end."""

from bot.notices.notice import Notice

NOTICES = {
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
    Notice.GONE_FACTS_ABOUT: "о вас или из ваших сообщений",
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
    Notice.HELD_HIDDEN: "скрыто {count}",
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
        "• `/memory show`: каждый факт — подтвердить, исправить, опровергнуть или скрыть\n"
        "• `/privacy erase`: всё исчезнет\n"
        "• `/privacy opt-out`: больше ничего не сохраняется, и о вас тоже"
    ),
    Notice.EXPORT_LATE: (
        "Это длится дольше, чем Discord позволяет мне отвечать здесь. Попросите ещё раз в более спокойное время."
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
