"""Words that show what a sentence does: tell of something that happened, of a plan, a decision, a feeling; or nothing.

In the five languages, folded. Forms are listed rather than guessed, and only those that mean this mostly.
"""

from memory.language.detect import word_set

HAPPENED = word_set(
    "got bought sold finished started passed won lost moved met joined quit launched released booked broke fixed"
    " built made found visited went came saw tried learned learnt graduated married born adopted cooked baked played"
    " watched read wrote received ordered arrived left returned celebrated hosted signed submitted published"
    " performed attended hiked traveled travelled flew drove caught beat killed reached unlocked crashed deleted"
    " installed painted planted happened turned became began opened closed closing opening hired fired promoted"
    " accepted rejected injured stolen gekauft verkauft fertig angefangen bestanden gewonnen verloren umgezogen"
    " getroffen kündigt gekündigt gebucht kaputt repariert gebaut gemacht gefunden besucht gegangen gesehen probiert"
    " gelernt geheiratet geboren gekocht gebacken gespielt geschaut gelesen geschrieben bekommen bestellt angekommen"
    " gefeiert abgegeben veröffentlicht gewandert gefahren geflogen geschafft passiert geworden eröffnet eingestellt"
    " befördert angenommen abgelehnt geklaut acheté vendu fini terminé commencé réussi gagné perdu déménagé rencontré"
    " rejoint quitté réservé cassé réparé construit trouvé visité allé allée vu essayé appris épousé né née cuisiné"
    " joué regardé lu écrit reçu commandé arrivé arrivée fêté rendu publié voyagé devenu ouvert embauché accepté"
    " refusé volé compré vendí terminé acabé empecé aprobé gané perdí mudé conocí dejé reservé rompió arreglé"
    " construí encontré visité fui fuimos vi probé aprendí casé nació cociné jugué jugamos leí escribí recibí pedí"
    " llegó llegué celebramos entregué publiqué viajé pasó abrió contrataron aceptaron rechazaron robaron comprado"
    " ganado perdido terminado купил купила продал закончил закончила начал начала сдал сдала выиграл выиграли"
    " проиграл переехал переехала встретил встретила уволился уволилась забронировал сломался починил построил сделал"
    " сделала нашел нашла посетил ходил ходила увидел попробовал научился женился родился родилась приготовил играл"
    " играли смотрел прочитал написал получил получила заказал приехал приехала отпраздновали опубликовал случилось"
    " стал стала открыл взяли приняли украли"
)
PLANNED = word_set(
    "will gonna going plan plans planning planned tomorrow tonight weekend soon hope hoping want wanna intend"
    " scheduled deadline appointment meeting interview exam release trip flight concert tournament raid werde werden"
    " plane planen geplant morgen übermorgen heute abend wochenende bald hoffe will möchte termin treffen prüfung"
    " reise flug konzert turnier vorstellungsgespräch vais allons prévois prévu demain soir bientôt espère veux"
    " voudrais rendez-vous réunion entretien examen voyage vol tournoi concert voy vamos planeo plan planeado mañana"
    " noche finde pronto espero quiero cita reunión entrevista examen viaje vuelo torneo concierto буду будем"
    " планирую планируем завтра послезавтра вечером выходные скоро надеюсь хочу встреча собеседование экзамен поездка"
    " рейс турнир концерт собираюсь собираемся"
) - word_set("will plan vol")
DECIDED = word_set(
    "decided decide decision agreed agree chose choose settled picked cancelled canceled postponed rescheduled"
    " switched resolved committed entschieden beschlossen entscheidung einigen geeinigt gewählt abgesagt verschoben"
    " wechsle décidé décision convenu choisi annulé reporté changé decidí decidimos decidido decisión acordamos elegí"
    " elegimos cancelado cancelamos aplazado cambié решил решила решили решение договорились выбрал выбрали отменили"
    " отменил перенесли перенес"
)
FELT = word_set(
    "happy sad excited tired stressed proud worried glad annoyed nervous afraid scared relieved frustrated bored"
    " angry love loved hate hated enjoy enjoyed miss missed disappointed lonely thrilled exhausted grateful upset"
    " amazed favorite favourite glücklich traurig aufgeregt müde gestresst stolz froh genervt nervös angst"
    " erleichtert frustriert gelangweilt wütend liebe hasse vermisse enttäuscht erschöpft dankbar freue gefreut"
    " lieblings heureux heureuse triste excité fatigué fatiguée stressé fier fière inquiet inquiète content contente"
    " énervé peur soulagé adore aime déteste déçu déçue épuisé feliz triste emocionado emocionada cansado cansada"
    " estresado orgulloso orgullosa preocupado preocupada contento contenta nervioso miedo aliviado encanta odio"
    " decepcionado agotado echo рад рада счастлив счастлива грустно устал устала волнуюсь горжусь боюсь злюсь люблю"
    " обожаю ненавижу скучаю разочарован разочарована расстроен расстроена доволен довольна надоело"
)

CHATTER = word_set(
    "hi hello hey hiya yo sup morning goodnight gn gm night bye cya later welcome back wb thanks thank thx ty tysm np"
    " please sorry lol lmao rofl haha hahaha hehe heh xd omg wow wtf yes yeah yep yup nope nah ok okay okey k kk sure"
    " right true exactly indeed same agreed nice cool great awesome amazing wonderful fantastic lovely sweet perfect"
    " good fine congrats congratulations gratz gz grats gg wp ez oh ah aww hmm huh oops well btw imo idk sounds looks"
    " seems care luck enjoy guys everyone everybody all man dude bro mate friend day evening afternoon see ya soon"
    " know think guess mean got it let keep way thing things stuff lot really very much many too always never maybe"
    " there that this kind word words hear glad happy totally definitely absolutely course hallo moin servus tschüss"
    " tschau nacht guten gute tag abend danke dank bitte gern gerne entschuldigung sorry ja nein nö genau stimmt eben"
    " klar super toll schön geil krass nice gut glückwunsch herzlichen achso aha oh naja mal leute alle geht läuft"
    " gehts morgen bis bald"
    " später schlaf viel spaß erfolg wirklich echt ganz salut bonjour bonsoir coucou bonne nuit merci beaucoup pardon"
    " désolé oui non ouais voilà exactement super génial cool bravo félicitations mdr ptdr ah oh bah bien sûr accord"
    " tout monde courage bientôt plus tard hola buenas buenos días noches tardes adiós chao gracias muchas perdón sí"
    " vale claro exacto genial guay bien felicidades enhorabuena jaja jajaja jeje xd suerte hasta luego pronto todos"
    " chicos привет здравствуйте здарова доброе утро добрый день вечер спокойной ночи пока спасибо пожалуйста извини"
    " извините да нет ага угу ок окей точно ясно понятно класс круто супер здорово хорошо отлично молодец поздравляю"
    " лол ахах хаха хех ой ну ладно удачи всем ребята увидимся"
)
"""Greetings, thanks, cheers and laughter: a sentence of nothing else says nothing about anybody's day."""
