"""Lists the words of time in the five languages, and the sign that each stands for in the grammar of times.

Each entry names signs, and behind the colon the phrases that mean them. The signs:

D1 a day counted from today · W0 a weekday, from Monday on · M3 a month · Uweek a unit · Pevening a part of the day ·
R1 next, R0 this, R-1 last, R2 the one after next, RC the coming one · A1 so many weeks later · 7 a number, 7o an
ordinal, N2 a number that only counts things · X12-25 a day of the year, E1 a day counted from Easter · PAST, TO, PLUS,
MINUS, HALF, BEFORE what joins minutes and hours · AT, ON, IN, V (Russian: all three), OF, THE, ABOUT, AND lead up.
"""

from datetime import UTC, date, datetime, time

from memory.language.detect import Language, word_set
from memory.language.text import fold

# Words that mean a time in whatever language, folded as `fold` leaves the text they are compared with.

# The forms of a month that people type, the short ones too; where the short one is a common word, it is left out.
_MONTHS = (
    "january jan januar jänner janvier enero январь января январе янв",
    "february feb februar februr février fevr febrero февраль февраля феврале фев",
    "march märz marz mars marzo март марта марте",
    "april apr avril avr abril апрель апреля апреле апр",
    "may mai mayo май мая мае",
    "june jun juni juin junio июнь июня июне",
    "july jul juli juillet juil julio июль июля июле",
    "august aug août agosto август августа августе авг",
    "september sep sept septembre septiembre setiembre сентябрь сентября сентябре сен",
    "october oct oktober okt octobre octubre октябрь октября октябре окт",
    "november nov novembre noviembre ноябрь ноября ноябре ноя",
    "december dec dezember dez décembre diciembre dic декабрь декабря декабре дек",
)
_WEEKDAYS = (
    "monday montag lundi lunes понедельник",
    "tuesday dienstag mardi martes вторник",
    "wednesday mittwoch mercredi miércoles среда среду",
    "thursday donnerstag jeudi jueves четверг",
    "friday freitag vendredi viernes пятница пятницу",
    "saturday samstag sonnabend samedi sábado суббота субботу",
    "sunday sonntag dimanche domingo воскресенье",
)
_UNITS = {
    "day": "day days tag tage tagen tages jour jours día días день дня дней",
    "week": "week weeks woche wochen semaine semaines semana semanas неделя неделю недели недель неделе",
    "month": "month months monat monate monaten mois mes meses месяц месяца месяцев месяце",
    "year": "year years jahr jahre jahren an ans année années año años год года году лет",
}


def _numbered(lines: tuple[str, ...]) -> dict[str, int]:
    return {form: number for number, forms in enumerate(lines, start=1) for form in fold(forms).split()}


MONTHS = _numbered(_MONTHS)
WEEKDAYS = {form: number - 1 for form, number in _numbered(_WEEKDAYS).items()}
UNITS = {form: unit for unit, forms in _UNITS.items() for form in fold(forms).split()}

LAST = word_set(
    "last past previous letzte letzten letzter letztes letztem vergangene vergangenen vergangenes vorige vorigen"
    " voriges dernier dernière passé passée pasado pasada último última прошлый прошлая прошлое прошлую прошлой прошлом"
)
THIS = word_set("this current diese diesen dieser dieses diesem ce cette este esta этот эта эту этой этом это")
WEEKEND = word_set("weekend wochenende finde выходные выходных")
AGO = word_set("ago назад")
"""Behind the number: "two weeks ago"; before it stand "vor", "hace" and "il y a"."""
SINCE = word_set("since seit depuis desde с")

# The words of one language, and what only a whole phrase of time can have, such as "mo" or "sat".


_EVERYWHERE = """
Usecond: s, sec, secs, second, seconds, sek, "; Uminute: min, mins, '; h: h; AM: am, a m; PM: pm, p m; AT: @; AND: &
T: t
"""

_WORDS = {
    Language.EN: """
D0: today, this day; D1: tomorrow, tomorrows, tmr, tmrw, tomorow, tommorow, tommorrow, next day, the following day
D2: day after tomorrow; D-1 Pnight: last night; R-1 Uweek: past week; R-1 Umonth: past month; R-1 Uyear: past year
D-1: yesterday; D-2: day before yesterday; NOW: now, right now, just now, right away, immediately, at once, atm
NOW: at the moment, at this moment, at this time, asap; D0 Pmorning: this morning; D0 Pafternoon: this afternoon
D0 Pevening: tonight, this evening, tonite
Pmorning: morning, mornings, in the am, early morning, early in the morning, early
Pafternoon: afternoon, afternoons, after lunch; Pevening: evening, evenings; Pnight: night, nights, late at night
NOON: noon, 12 noon, twelve noon, midday, mid day, at lunch, lunchtime
MIDNIGHT: midnight, 12 midnight, twelve midnight; AT: at, by, until, till
ABOUT: or so, about, around, approximately, approx, roughly, circa, ish, exactly, sharp, towards
ON: on, starting, starting on, from; FOR: for; IN: in, during, within; OF: of; THE: the; AND: and; PM: p
OCLOCK: o clock, oclock; PAST: past, after; TO: to, before, til; 15: quarter, a quarter; 30 PAST: half past, half
0: o, oh, ou; 2o OF: second of; R1: next, following; R2: after next, next next, the one after next
RC: coming, upcoming, this coming, this upcoming, this next; FROMNOW: from now, hence, later, more, from then
FROMTODAY: from today, after today; AGO: ago; N1: a, an; N2: a couple of, a couple, couple of, couple, a pair of
N3: a few, few; N0.5: half a, half an
N0.25 Uhour: a quarter of an hour, quarter of an hour, a quarter hour, quarter hour, a quarter of hour
N0.75 Uhour: three quarters of an hour, three quarters of hour, three quarter hour; N0.5 Uhour: half hour, a half hour
HALF: and a half, and an half, and half; N14 Uday: a fortnight, fortnight
R-1 Uday OF R0 Umonth: end of the month, end of month, end of this month, eom; EVERY: every, each
EVERY 2: every other, every second; EVERY Uday: daily, everyday; EVERY Uweek: weekly
EVERY 2 Uweek: biweekly, fortnightly, every fortnight; EVERY Umonth: monthly; EVERY Uhour: hourly
EVERY Pnight: nightly
WORKDAYS: weekday, weekdays, workday, workdays, working day, working days, business day, business days
Uhour: hour, hours, hr, hrs; Uminute: minute, minutes, m; Uday: d; Uweek: w, wk, wks; Umonth: mo, mos, mth
Uyear: y, yr, yrs; W0: mon; W1: tue, tues; W2: wed, weds; W3: thu, thur, thurs; W4: fri; W5: sat, week end; W6: sun
M3: mar; X12-25: christmas, xmas, christmas day, xmas day; X12-24: christmas eve, xmas eve
X12-31: new year s eve, new years eve, nye; X1-1: new year, new years, new year s day, new years day, new year s
X2-14: valentine s day, valentines day; X10-31: halloween; 4o W3 OF M11: thanksgiving, thanksgiving day
3o W6 OF M6: father s day, fathers day; E0: easter, easter sunday; E1: easter monday; E-2: good friday
""",
    Language.DE: """
D0: heute, heut; D1: morgen, nächsten tag, am tag darauf; D2: übermorgen; D3: überübermorgen; D-1: gestern
D-2: vorgestern; NOW: jetzt, gerade eben, gerade, sofort, jetzt gleich, genau jetzt
NOW: im moment, in diesem moment, zu dieser zeit, zur zeit; D0 Pmorning: heute morgen, heute früh, heute vormittag
D1 Pmorning: morgen früh, morgen vormittag; D0 Pnight: heute nacht
Pmorning: am morgen, morgens, früh, vormittag, vormittags; Pmorning: in der frühe, früh morgens, frühmorgens
Pnoon: mittags, am mittag, über mittag, zu mittag; Pafternoon: nachmittag, nachmittags; Pevening: abend, abends
Pnight: nacht, nachts; NOON: mittag, zwölf uhr mittags, 12 uhr mittags
MIDNIGHT: mitternacht, zwölf uhr nachts, 12 uhr nachts; AT: um, gegen, bis, bis um, zu, gen
ABOUT: so, circa, zirka, ca, etwa, ungefähr, rund, genau, punkt, kurz; ON: am, an, den, ab, zum; FOR: für
IN: in, binnen; IN THE: im, in der, in dem, ins; OF: von, vom, des; THE: der, die, das, dem; AND: und; OCLOCK: uhr
PAST: nach; TO: vor; 15: viertel; 15 TO: dreiviertel; 30 TO: halb
R1: nächste, nächsten, nächster, nächstes, nächstem, folgende, folgenden, darauffolgenden
R2: nach dem nächsten, nach der nächsten, übernächste, übernächsten, übernächster, übernächstes, übernächstem
RC: kommende, kommenden, kommender, kommendes, kommendem, diesen kommenden
FROMNOW: später, ab jetzt, von jetzt an, von jetzt; FROMTODAY: von heute an, ab heute
N1: ein, eine, einen, einem, einer, ner; N2: ein paar, paar
N0.5: halbe, halben, halbes, halbem, eine halbe, einer halben, einem halben, ein halbes
N1.5: anderthalb, eineinhalb, einundeinhalb; N2.5: zweieinhalb, zweiundeinhalb; N3.5: dreieinhalb; N4.5: viereinhalb
N0.25 Uhour: viertelstunde, eine viertelstunde, einer viertelstunde, einer viertel stunde
N0.75 Uhour: dreiviertelstunde, einer dreiviertelstunde, einer dreiviertel stunde
HALF: und eine halbe, und einer halben, und ein halbes
R-1 Uday OF R0 Umonth: ende des monats, monatsende, ende dieses monats; EVERY: jede, jeden, jeder, jedes, jedem, alle
EVERY Uday: täglich, tagtäglich; EVERY Uweek: wöchentlich; EVERY Umonth: monatlich; EVERY Uhour: stündlich
EVERY Pmorning: jeden morgen
WORKDAYS: werktag, werktags, werktage, werktagen, wochentag, wochentags, wochentage, wochentagen, unter der woche
Uhour: stunde, stunden, std; Uminute: minute, minuten, minütchen; Usecond: sekunde, sekunden; Umonth: monats
Uyear: jahres; W0: mo; W1: di; W2: mi; W3: do; W4: fr; W5: sa, we; W6: so.
X12-25: weihnachten, erster weihnachtstag, weihnachtstag; X12-24: heiligabend, heilig abend, heiliger abend
X12-31: silvester, sylvester; X1-1: neujahr, neujahrstag; X2-14: valentinstag; X10-31: halloween, reformationstag
X11-1: allerheiligen; X12-6: nikolaus, nikolaustag; 2o W6 OF M5: muttertag; E39: vatertag
X10-3: tag der deutschen einheit; E0: ostern, ostersonntag; E1: ostermontag; E-2: karfreitag; E39: christi himmelfahrt
E49: pfingsten, pfingstsonntag; E50: pfingstmontag
""",
    Language.FR: """
D0: aujourd'hui, aujourdhui, ce jour, dans la journée; D1: demain, lendemain, jour suivant, jour d'après
AFTER: lendemain du, lendemain de, le lendemain du, le lendemain de; D2: après demain, surlendemain; D-1: hier
D-2: avant hier
NOW: maintenant, tout de suite, immédiatement, en ce moment, à l'instant, dès maintenant, dès que possible
D0 Pmorning: ce matin; D0 Pafternoon: cet après midi, cette après midi, cet aprem; D0 Pevening: ce soir
D0 Pnight: cette nuit; Pmorning: matin, dans la matinée, mat, en matinée, tôt le matin; Pafternoon: après midi, aprem
Pevening: soir, dans la soirée, en soirée; Pnight: nuit; NOON: midi; MIDNIGHT: minuit; AT: à, vers, avant, jusqu'à, dès
ABOUT: environ, autour de, plutôt, à peu près, aux alentours de, pile; ON: à partir du, à partir de; FOR: pour
IN: en, dans, d'ici, au cours de; OF: de, d, du, des; THE: le, la, les, l, au; AND: et; MINUS: moins
PLUS 15: et quart, un quart; PLUS 45: trois quarts, et trois quarts; MINUS 15: moins le quart, moins quart
HALF: et demie, et demi; R1: prochain, prochaine, prochains, suivant, suivante, d'après; RC: qui vient, à venir
A1: en huit, en 8; A2: en quinze, en 15; FROMNOW: plus tard; FROMTODAY: à partir d'aujourd'hui, après; BEFORE: il y a
N1: un, une; N2: quelques, une paire de
N0.5 Uhour: demi heure, demi heures, demie heure, une demi heure, une demie heure
N0.25 Uhour: quart d'heure, un quart d'heure; N0.75 Uhour: trois quarts d'heure, 3 quarts d'heure, 3/4 d'heure
R-1 Uday OF R0 Umonth: fin du mois, fin de mois; EVERY: chaque, tous les, toutes les, tous; EVERY Uday: quotidiennement
EVERY Uweek: hebdomadairement; EVERY Umonth: mensuellement
WORKDAYS: en semaine, jours ouvrés, jour ouvré, jours de semaine, jours ouvrables, jour ouvrable; Uhour: heure, heures
Uminute: minute, minutes, mn; Usecond: seconde, secondes; Uday: journée, journées, j; W0: lun; W2: mer; W3: jeu
W4: ven; W5: sam, week end, fin de semaine; W6: dim; M1: janv; M2: fév; M4: avr; M7: juil; M12: déc
X12-25: noël, jour de noël; X12-24: veille de noël, réveillon, réveillon de noël
X12-31: saint sylvestre, réveillon du nouvel an; X1-1: nouvel an, jour de l'an, premier de l'an; X2-14: saint valentin
X10-31: halloween; X11-1: toussaint, jour de la toussaint, journée de la toussaint; X7-14: fête nationale
E0: pâques, dimanche de pâques; E1: lundi de pâques; E-2: vendredi saint; E39: ascension; E49: pentecôte
E50: lundi de pentecôte
""",
    Language.ES: """
D0: hoy, el día de hoy; D1: mañana, día siguiente; D2: pasado mañana; D-1: ayer; D-1 Pnight: anoche
D-2: anteayer, antier; NOW: ahora, ahora mismo, ahorita, ya, ya mismo, cuanto antes
NOW: en este momento, de inmediato, inmediatamente, en seguida; D0 Pmorning: esta mañana; D0 Pafternoon: esta tarde
D0 Pnight: esta noche; Pmorning: de la mañana, por la mañana, en la mañana, a la mañana, por la madrugada, temprano
Pmorning: de mañana, madrugada; Pafternoon: tarde, por la tarde, a la tarde; Pnight: noche, por la noche, a la noche
NOON: mediodía, medio día, a mediodía; MIDNIGHT: medianoche, media noche, a medianoche, a la medianoche, a media noche
AT: a las, a la, las, al las, para las, sobre las, hacia las, hasta las, alas, a eso de las
ABOUT: aproximadamente, alrededor de, más o menos, en punto, cerca de; ON: a partir del, a partir de, desde el
FOR: para; IN: en, dentro de, durante, de aquí a; OF: de, del; THE: el, la, al; AND: y; MINUS: menos; 15: cuarto
HALF: y media, y medio; 0: zero; AT 1: la una; R1: próximo, próxima, siguiente
RC: que viene, que entra, entrante, que sigue; FROMNOW: más tarde, a partir de ahora, desde ahora, después
FROMTODAY: a partir de hoy, desde hoy; BEFORE: hace; N1: un; N2: un par de, par de
N3: unos pocos, unas pocas, unos, unas; N1.5 Uhour: hora y media, una hora y media; N0.5 Uhour: media hora
N0.25 Uhour: cuarto de hora, un cuarto de hora; N0.75 Uhour: tres cuartos de hora
R-1 Uday OF R0 Umonth: fin de mes, final de mes, a fin de mes, a final de mes, finales de mes
EVERY: cada, todos los, todas las, los; EVERY Uday: diariamente, a diario
EVERY Pmorning: cada mañana, todas las mañanas; EVERY Uweek: semanalmente; EVERY Umonth: mensualmente
WORKDAYS: entre semana, días laborables, día laborable, días hábiles, día hábil, lunes a viernes, de lunes a viernes
Uhour: hora, horas, hrs; Uminute: minuto, minutos; Usecond: segundo, segundos, seg; W0: lu, lun; W1: ma
W2: mi, mié, mx; W3: ju, jue; W4: vi, vie; W5: sa, sáb, fin de semana; W6: do, dom; M1: ene; M4: abr; M8: ago
X12-25: navidad, día de navidad; X12-24: nochebuena, noche buena; X12-31: nochevieja, noche vieja, fin de año
X1-1: año nuevo, día de año nuevo; X1-6: día de reyes; X2-14: san valentín, día de san valentín; X10-31: halloween
X11-1: día de todos los santos, todos los santos; E0: pascua, domingo de pascua, domingo de resurrección
E-2: viernes santo
""",
    Language.RU: """
D0: сегодня; D1: завтра, следующий день; D2: послезавтра; D3: послепослезавтра; D-1: вчера; D-2: позавчера
NOW: сейчас, прямо сейчас, немедленно, сразу, сию минуту, в данный момент, в настоящий момент, тотчас
Pmorning: утро, утром, утра, поутру, рано утром; Pafternoon: днем, после обеда, пополудни, после полудня
Pevening: вечер, вечером, вечера; Pnight: ночь, ночью, ночи, поздно вечером; NOON: полдень, полудня
MIDNIGHT: полночь, полуночи; AT: к, ко, до; ABOUT: около, примерно, приблизительно, где то, ровно, часов в, часа в
V: в, во, на; ON: с, со, начиная с; FOR: для; IN: через, спустя; AND: и; 15: четверти; BEFORE: без; 45 TO: четверть
30 TO: половина, половине, половину, пол
R1: следующий, следующая, следующую, следующей, следующего, следующее, следующем, след
R1: будущий, будущую, будущей, будущем
RC: ближайший, ближайшая, ближайшую, ближайшее, предстоящий, предстоящую, наступающий, наступающую
FROMNOW: спустя, позже; R-1: последний, последняя, последнюю, последнее, последнего, последней
N1: один, одна, одну, одного; N2: пару, пара; N3: несколько; N1.5: полтора, полторы; N0.5 Uhour: полчаса, пол часа
N0.25 Uhour: четверть часа; N0.75 Uhour: три четверти часа; HALF: с половиной; V 1 Uhour: в час; 1 Uhour Uday: час дня
1 Uhour Pnight: час ночи; R-1 Uday OF R0 Umonth: конец месяца, конце месяца, концу месяца
EVERY: каждый, каждая, каждую, каждое, каждые, каждого, каждой, по; EVERY Uday: ежедневно; EVERY Uweek: еженедельно
EVERY Umonth: ежемесячно; EVERY Uhour: ежечасно; EVERY Pmorning: по утрам; EVERY Pevening: по вечерам
WORKDAYS: будний день, будние дни, будням, по будням, в будни, рабочий день, по рабочим дням, рабочим дням
Uhour: час, часа, часов, часу, часам, ч; Uminute: минуту, минуты, минут, минута, мин
Usecond: секунду, секунды, секунд, секунда, сек; Uday: дн, сутки, суток; Uweek: нед; DAYTH: числа, число
W0: пн, понедельника, понедельнику, понедельникам; W1: вт, вторника, вторнику, вторникам; W2: ср, среды, среде, средам
W3: чт, четверга, четвергу, четвергам; W4: пт, пятницы, пятнице, пятницам; W5: сб, субботы, субботе, субботам
W6: вс, воскресенья, воскресенью, воскресеньям, воскресение; M1: январю; M2: февралю, февр; M3: мар, марту; M4: апрелю
M5: маю; M6: июню; M7: июлю; M8: августу; M9: сентябрю, сент; M10: октябрю; M11: ноябрю, нояб; M12: декабрю
X12-31: новогодняя ночь, канун нового года; X1-1: новый год, нового года, новому году; X1-7: рождество
X2-14: день святого валентина; X3-8: восьмое марта, международный женский день; X5-9: день победы; X10-31: хэллоуин
""",
}

_JOINTS = {
    Language.EN: "to that about of for",
    Language.DE: "an zu dass daß daran",
    Language.FR: "de d que qu à",
    Language.ES: "que de a sobre para",
    Language.RU: "о об обо что чтобы про",
}
_PREPOSITIONS = {
    Language.EN: "from since before after until till",
    Language.DE: "über von vom für seit vor nach bis zum",
    Language.FR: "du pour sur depuis avant après",
    Language.ES: "del desde antes hasta",
    Language.RU: "с до для после к перед от",
}

_ORDINAL_ENDS = {
    Language.EN: "st nd rd th",
    Language.DE: "te ten ter tes tem . ste sten ster",
    Language.FR: "er ere e eme ieme nd nde",
    Language.ES: "o a ro er do to",
    Language.RU: "е ое го ого его й ый ому му я ю",
}

# From zero on; the tens from twenty on.
_CARDINALS = {
    Language.EN: (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen",
        "twenty thirty forty fifty sixty seventy eighty ninety",
    ),
    Language.DE: (
        "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn"
        " siebzehn achtzehn neunzehn",
        "zwanzig dreissig vierzig fünfzig sechzig siebzig achtzig neunzig",
    ),
    Language.FR: (
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept"
        " dix-huit dix-neuf",
        "vingt trente quarante cinquante soixante",
    ),
    Language.ES: (
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete"
        " dieciocho diecinueve",
        "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    ),
    Language.RU: (
        "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать"
        " пятнадцать шестнадцать семнадцать восемнадцать девятнадцать",
        "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто",
    ),
}
_MORE_NUMBERS = {
    Language.EN: "",
    Language.DE: "",
    Language.FR: "soixante-dix=70 soixante-quinze=75 quatre-vingt=80 quatre-vingts=80 quatre-vingt-dix=90 première=1o"
    " second=2o",
    Language.ES: "una=1 veintiuno=21 veintiún=21 veintiuna=21 veintidós=22 veintitrés=23 veinticuatro=24 veinticinco=25"
    " veintiséis=26 veintisiete=27 veintiocho=28 veintinueve=29 primer=1o primera=1o segunda=2o tercer=3o tercera=3o"
    " cuarta=4o",
    Language.RU: "две=2 двух=2 трех=3 четырех=4 пяти=5 шести=6 семи=7 восьми=8 девяти=9 десяти=10 пятнадцати=15"
    " двадцати=20 тридцати=30 двум=2 трем=3",
}
# The stems from the first on, then the thirtieth.
_ORDINALS = {
    Language.EN: (
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
        " fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth"
    ),
    Language.DE: (
        "erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft dreizehnt vierzehnt fünfzehnt sechzehnt"
        " siebzehnt achtzehnt neunzehnt zwanzigst dreissigst"
    ),
    Language.FR: "premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième",
    Language.ES: "primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo",
    Language.RU: (
        "перв втор трет четверт пят шест седьм восьм девят десят одиннадцат двенадцат тринадцат четырнадцат пятнадцат"
        " шестнадцат семнадцат восемнадцат девятнадцат двадцат тридцат"
    ),
}
_ENDINGS = {
    Language.DE: "e er en es em",
    Language.RU: "ое ого ому ый ой ом ая ую ий ье ьего ьему ью ья",
}
_DAYTIMES = {
    "morgen": "morning",
    "früh": "morning",
    "vormittag": "morning",
    "mittag": "noon",
    "nachmittag": "afternoon",
}
_DAYTIMES |= {"abend": "evening", "nacht": "night"}
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def spelt(phrase: str) -> str:
    """Spell a phrase as the tokens of a text are joined: folded, with spaces for hyphens and apostrophes."""
    return " ".join(fold(phrase).replace("-", " ").replace("'", " ").split()) or phrase


def _numbers(language: Language) -> dict[str, str]:
    """Map words to numbers and ordinals. "Twenty five" is put together where it is read; in German it is one word."""
    ones, tens = (words.split() for words in _CARDINALS[language])
    found = {one: str(number) for number, one in enumerate(ones)}
    found |= {ten: str(number) for number, ten in zip(range(20, 100, 10), tens, strict=False)}
    ordinals = dict(zip(_ORDINALS[language].split(), (*range(1, 21), 30), strict=False))
    if language is Language.DE:
        counted = list(enumerate(["ein", *ones[2:10]], start=1))
        found |= {f"{one}und{ten}": f"{place}{n}" for place, ten in enumerate(tens, start=2) for n, one in counted}
        ordinals |= {f"{one}undzwanzigst": 20 + n for n, one in counted} | {"einunddreissigst": 31}
    ends = _ENDINGS.get(language, "").split() or [""]
    found |= {stem + end: f"{number}o" for stem, number in ordinals.items() for end in ends}
    return found | dict(pair.split("=") for pair in _MORE_NUMBERS[language].split())


def _lexicon(language: Language) -> dict[str, str]:
    """Map each phrase of a language to the signs it stands for. What is said first holds."""
    found: dict[str, str] = {}

    def say(phrase: str, signs: str) -> None:
        for written in {phrase, phrase.translate(_UMLAUTS)} if language is Language.DE else {phrase}:
            found.setdefault(spelt(written), signs)

    for entry in (_WORDS[language] + _EVERYWHERE).strip().replace("\n", "; ").split("; "):
        signs, _, phrases = entry.partition(": ")
        for phrase in phrases.split(", "):
            say(phrase, signs)
    for phrase, number in _numbers(language).items():
        say(phrase, number)
        if language is Language.RU and number.endswith("o"):
            say(f"пол{phrase}", f"30 TO {number[:-1]}")
    for word, weekday in WEEKDAYS.items():
        say(word, f"W{weekday}")
        if not word.endswith("s"):
            say(f"{word}s", f"EVERY W{weekday}")
        for daytime, part in _DAYTIMES.items() if language is Language.DE else ():
            say(f"{word}{daytime}", f"W{weekday} P{part}")
            say(f"{word} {daytime}", f"W{weekday} P{part}")
    tables = (
        {word: f"M{month}" for word, month in MONTHS.items()},
        {word: f"U{unit}" for word, unit in UNITS.items()},
        dict.fromkeys(LAST, "R-1") | dict.fromkeys(THIS, "R0") | dict.fromkeys(WEEKEND, "W5"),
        dict.fromkeys(AGO, "AGO"),
    )
    for table in tables:
        for word, sign in table.items():
            say(word, sign)
    return found


def _phrase_lengths(lexicon: dict[str, str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for phrase in lexicon:
        first, *more = phrase.split() or [""]
        found[first] = max(found.get(first, 0), 1 + len(more))
    return found


LEXICON = {language: _lexicon(language) for language in Language}
NUMBERS = {
    spelt(word): int(sign) for language in Language for word, sign in _numbers(language).items() if sign.isdigit()
}
ORDINAL_ENDS = {language: frozenset(fold(ends).split()) for language, ends in _ORDINAL_ENDS.items()}
JOINTS = {language: frozenset(fold(words).split()) for language, words in _JOINTS.items()}
"""Between a time and what it is for: "tomorrow to call Ann"."""
PREPOSITIONS = {
    language: JOINTS[language] | frozenset(fold(words).split()) for language, words in _PREPOSITIONS.items()
}
"""A day behind one of these is part of what is to be done."""
PHRASE_LENGTHS = {language: _phrase_lengths(lexicon) for language, lexicon in LEXICON.items()}
"""How many words the longest phrase has that begins with a word."""


def shown_day(day: date) -> str:
    """Show a day as Discord does, in the reader's language: its noon is the same day nearly everywhere."""
    return f"<t:{int(datetime.combine(day, time(12), UTC).timestamp())}:D>"
