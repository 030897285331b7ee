"""What is said in Spanish about the facts that are held about members, and who did what to them."""

from bot.notices.notice import Notice

NOTICES = {
    Notice.MEMORY_OF_YOU: "**Lo que sé de ti**",
    Notice.MEMORY_OF: "**Lo que sé de {name}, hasta donde puedes leer**",
    Notice.MEMORY_NONE_OF_YOU: "No sé nada de ti que se haya dicho donde puedes leer.",
    Notice.MEMORY_NONE_OF: "No sé nada de {name} que puedas oír.",
    Notice.MEMORY_PAGE: "Página {page} de {pages}",
    Notice.MEMORY_CHOOSE: "Elige un número para hacer algo con ello.",
    Notice.SAID_BY_YOU: "lo dijiste tú",
    Notice.SAID_BY: "lo dijo {name}",
    Notice.CONFIRMED_BY_YOU: "lo dice {teller}, y tú lo confirmaste",
    Notice.CONFIRMED_BY: "lo dice {teller}, y {name} lo confirmó",
    Notice.TOLD_BY: "lo dice {teller}",
    Notice.SINCE: "desde el {when}",
    Notice.UNTIL: "hasta el {when}",
    Notice.MESSAGE_LINK: "mensaje",
    Notice.MAY_BE_KNOWN: "todos pueden saberlo",
    Notice.HIDDEN_BY_YOU: "oculto por ti: solo tú lo ves",
    Notice.HIDDEN_BY: "oculto por {who}: solo tú lo ves",
    Notice.HIDDEN_BY_RULE: (
        "no se dice a nadie más: este servidor no quiere que se cuente nada de otros. Si lo confirmas, se "
        "vuelve a decir"
    ),
    Notice.WITHHELD: "*oculto por {who}*",
    Notice.ACT_CONFIRM: "Confirmar",
    Notice.ACT_CORRECT: "Corregir",
    Notice.ACT_HIDE: "Ocultar",
    Notice.ACT_SHOW_AGAIN: "Mostrar de nuevo",
    Notice.ACT_FORGET: "Olvidar",
    Notice.ACT_BACK: "Volver",
    Notice.DONE_CONFIRM: "Confirmado. Desde ahora es tu propia palabra: {fact}",
    Notice.DONE_CORRECT: "Corregido. Ahora guardo tus propias palabras: {fact}",
    Notice.DONE_VETO: "Fuera. No lo guardo, y nadie más puede volver a decírmelo de ti.",
    Notice.DONE_NOT_ME: (
        "Fuera de lo que sé de ti, y nadie puede volver a decírmelo de ti. Para los demás de quienes trata, se queda."
    ),
    Notice.DONE_HIDE: "Oculto. Desde ahora nadie más que tú lo oye de mí.",
    Notice.DONE_HIDE_OTHERS: "Oculto. Desde ahora nadie más que la persona de quien trata lo oye de mí.",
    Notice.DONE_SHOW_AGAIN: "Ya no está oculto: quien podía oírlo antes puede oírlo otra vez.",
    Notice.DONE_FORGET: "Olvidado.",
    Notice.DONE_BEFORE: "Ya era así; no cambió nada.",
    Notice.DONE_UNSAID: "Hecho.",
    Notice.OTHERS_NOT_TOLD: (
        "Este servidor no quiere que se cuente nada de otros, así que no puedo mostrarlo de nuevo. La "
        "persona de quien trata puede confirmarlo."
    ),
    Notice.CORRECT_TITLE: "Con tus propias palabras",
    Notice.CORRECT_FIELD: "¿Qué es lo cierto?",
    Notice.AUDIT_TITLE: "**Quién miró o cambió lo que sé de otros**",
    Notice.AUDIT_TITLE_OF: "**Quién miró o cambió lo que sé de {name}**",
    Notice.AUDIT_NONE: "No se anotó nada así en los últimos 365 días.",
    Notice.AUDIT_THE_SERVER: "el servidor",
    Notice.DEED_LOOKED: "miró",
    Notice.DEED_TOLD: "me contó algo",
    Notice.DEED_REPLACED: "reemplazó",
    Notice.DEED_FORGOT: "hizo olvidar",
    Notice.DEED_EDITED: "lo dijo de otro modo",
    Notice.DEED_UNDID: "deshizo",
    Notice.DEED_VETOED: "desmintió",
    Notice.DEED_HID: "ocultó",
    Notice.DEED_SHOWED_AGAIN: "mostró de nuevo",
    Notice.DEED_KEPT_ON: "conservó lo que dijo un mensaje borrado",
    Notice.DEED_SHOWED_CHANNEL: "miró un canal",
    Notice.DEED_EXPORTED_CHANNEL: "exportó un canal",
    Notice.DEED_ERASED_CHANNEL: "borró un canal",
    Notice.FACT_RULES: (
        "• Lo que los miembros cuentan de otros: {about_others}\n• Los moderadores, con datos ajenos: {moderators}"
    ),
    Notice.ABOUT_OTHERS_YES: "se guarda",
    Notice.ABOUT_OTHERS_NO: "no se guarda ni se cuenta",
    Notice.MODERATORS_NOTHING: "no pueden nada",
    Notice.MODERATORS_HIDE: "pueden ocultarlos",
    Notice.MODERATORS_REMOVE: "pueden ocultarlos y hacerlos olvidar",
}
