"""Lists what people say to us, and how: one table per language, made to be extended.

Phrases are written as people type them, in lower case, with commas between them. `(don't|do not) forget` is two of
them, `forget (about|)` as well. `…` marks the place of what is said where it does not simply follow the phrase
("kannst du dir … merken"). Accents, case, hyphens and apostrophes are optional when a phrase is matched.

openers, polite     may stand before the verb; `polite` also right behind it, most of them also at the end
asking              put a command as a wish; what is called `…_asked` follows only these
remember, forget    followed by what is said
untrue              say that something does not hold any more, without asking for anything
never               want nothing remembered
remind              followed by a time or by what is to be done; by something else they ask
remind_other        followed by somebody else; `remind_them` say already that it is somebody else
knowledge           followed by a person, whatever words that takes
who_is              followed by a person, but just as well by something else ("who is coming tonight")
reminders           whole sentences about one's own reminders
help                whole sentences: who we are, and what we can do
missed              whole sentences: what happened while somebody was away
everywhere          behind a remembering verb, before the words themselves: they may be repeated anywhere
conjunctions        between a verb and what is said
interrogatives      behind a remembering verb these ask, they do not tell
questions           open a question beyond doubt; "when I was young …", "what I said …" tell something
tell                want to hear something, also behind a way to put a wish
chatter             right behind our name these speak about us, not to us ("bot is broken")
thanks, farewell, greeting, other: single words of which a kind sentence is made; those `beside` them say nothing alone
"""

import re
from collections.abc import Mapping, Sequence

from memory.language.detect import Language
from memory.language.text import Folded, fold

_NAME = re.compile(r"^ +(\w+):", re.MULTILINE)
_CHOICE = re.compile(r"\(([^()]*)\)")


def ways(phrases: str) -> tuple[str, ...]:
    """List every phrase that is written there, once."""
    return tuple(dict.fromkeys(way for phrase in phrases.split(",") for way in _chosen(phrase)))


def _chosen(phrase: str) -> list[str]:
    choice = _CHOICE.search(phrase)
    if choice is None:
        return [" ".join(phrase.split())]
    before, behind = phrase[: choice.start()], phrase[choice.end() :]
    return [way for one in choice[1].split("|") for way in _chosen(before + one + behind)]


def _table(text: str) -> Mapping[str, tuple[str, ...]]:
    _, *parts = _NAME.split(text)
    return dict(zip(parts[::2], map(ways, parts[1::2]), strict=True))


PHRASES: Mapping[Language, Mapping[str, tuple[str, ...]]] = {
    Language.EN: _table("""
        openers: hey, hi, hello, ok, okay, yo, so, and, now, well
        polite: please, pls, plz, kindly, thanks, thank you, thx, ty, tysm, for me
        asking: (can|could|would|will) (you|u), you (should|must|can), i (want|need|would like) you to, i'd like you to,
            would you mind, would you be so kind (as|) to
        remember: (do|always|) remember, (don't|do not|never) forget, memori(z|s)e, (keep|bear) in mind, keep … in mind,
            make a note (of|), take note (of|), note (that|down), (write|jot) (this|that|…|) down, save (this|that)
        remember_asked: remembering, keeping in mind, not forget
        forget: forget (about|), do forget, unlearn, stop remembering, unremember, delete, erase,
            remove from your memory, (delete|erase|remove) … from your memory, drop the thing (about|with),
            drop what i said about, scratch that, (you don't (need|have)|no need) to remember (… any( |)more|),
            you can stop remembering
        forget_asked: forgetting (about|), deleting, erasing
        untrue: it('s| is) no longer true, it no longer holds, it('s not| is not| isn't) true any( |)more,
            … is no longer true, … is(n't| not) true any( |)more
        never: (never|don't|do not|not|don't ever) remember, (never|don't|do not) (keep|note|save),
            don't write (this|that|) down, don't memori(z|s)e
        remind: (remember to|don't forget to|do not forget to|) remind (me|us), set (me|) a reminder (for|),
            send me a reminder, ping me
        remind_other: remind
        reminders: (cancel|delete|remove|clear|stop|end|drop|forget|list|show|show me|tell me|what are|which are|)
            my reminders,
            (what|which|how many) reminders do i have, do i have (any|) reminders, stop reminding me,
            don't remind me anymore
        knowledge: what do you (know|remember|have) (about|of|on), what did you remember about,
            what('s| is) known about, what have you (learn(ed|t)|remembered|got|on file) (about|on),
            (tell me|) what you (know|have|have on file) (about|on), what can you tell me about,
            do you know (any|some)thing about, (tell me|say) (what|everything|all) you know about,
            tell me (every|some)thing about, (got|do you have|) any info (on|about)
        who_is: who('s| is), who (are|am), do you (know|remember), tell me (more|) about
        help: help (me|), (who|what) are you, what are you for, what (else|) can (you do|i ask|i ask you),
            what do you do, how do you work, how does (this|it) work, how (do|can) i use (you|this),
            how (do you use this|does one use you), introduce yourself, (list|) commands,
            what are your commands, is there a list of commands, (what|which) commands (are there|do you have|)
        missed: what did i miss (while i was (away|gone)|), what'd i miss, what (have i|i've|i) missed,
            (did i miss|have i missed) (any|some)thing, (what's|what is|anything) new, catch me up, fill me in,
            what happened (while i was (away|gone)|since i was last here), (bring|get) me up to (date|speed)
        everywhere: everywhere, for everyone, for everybody, for all, server-wide
        conjunctions: that
        interrogatives: what, when, where, who, whom, whose, why, how, which, if, whether
        questions: (what|where|when) (is|are|was|were|do|does|did|can|could|should|would|will|has|have), who(se|), why,
            how, which, (what|who|where|when|how)'s, whats, what (happened|happens|about|time|day), is, are, was, were,
            does, did, has, do (you|we|they|i), am i, have we
        tell: (tell|show|help) (me|us|), explain, describe, list, summari(s|z)e, look up, search for, find (out|),
            translate, say
        chatter: lane(|s|r), diff, gap, account(s|), is(n't|), was(n't|), ha(s|d)(n't|), does(n't|), did(n't|),
            won't, can(not|'t), couldn't, wouldn't, seems, looks, says, said, keeps, needs, works, got, went, made,
            makes, gets, goes, thinks, knows, knew, forgets, forgot, remembers, likes, hates, never, always, and, or,
            as, in, on, of, from, with
        thanks: thanks, thank, thx, ty, tysm, tyvm, cheers, thankyou, thnx
        greeting: hello, hi, hey, hiya, howdy, greetings, morning, yo
        farewell: bye, goodbye, cya, goodnight, night, farewell, gn, gnight, nighty
        other: super, nice, cool, great, awesome, perfect, brilliant, wow, bravo, good, love, yay, legend, best,
            amazing, goat
        beside: you, u, so, very, much, a, lot, many, for, that, this, it, the, help, again, all, bot, innkeeper, there,
            my, dear, friend, everyone, and, one, job, work, answer, well, done, evening, afternoon, day, s, really,
            just, too, old, your, re, are, tmrw, tomorrow, later, see
    """),
    Language.DE: _table("""
        openers: hey, hi, hallo, ok, okay, na, moin, servus, so
        polite: bitte, danke, mal, doch, noch, auch, jetzt, für mich, eigentlich, eig, denn, endlich
        asking: (kannst|könntest|würdest|magst) du (dir|), du (sollst|musst|kannst) (dir|), könnt ihr euch,
            wärst du so nett und würdest dir
        remember: merk(e|) (es|) dir, merk(s dir| dir's), merkt euch, behalt(e|) (… im kopf|),
            erinner(e|) dich (daran|), vergiss (das|es|bitte|) nicht, vergiss nie(mals|), notier(e|) (dir|),
            schreib(e|) (dir|das|dir …|) auf, präg dir ein, halt(e|) fest, speicher(e|)
        remember_asked: (…|) (merken|behalten|notieren|aufschreiben|nicht vergessen|festhalten|speichern),
            im kopf behalten, daran erinnern
        forget: vergiss, vergess(e|t), (lösch|streich)(e|) (… aus deinem gedächtnis|), streich aus deinem gedächtnis,
            du brauchst dir (…|) nicht mehr (zu|) merken
        forget_asked: (…|) (vergessen|löschen|streichen)
        untrue: es (stimmt nicht mehr|ist nicht mehr (wahr|so)), … stimmt (so|) nicht mehr, … ist nicht mehr wahr,
            … gilt nicht mehr
        never: merk(e|) dir (das|bloß|) (bitte|) nicht(s|), merk(e|) dir nie(mals|),
            du (musst|sollst) dir (das|) nicht(s|) (mehr|) merken, schreib (das|) nicht auf,
            (notier|speicher|behalt)(e|) das nicht
        remind: erinner(e|) (mich|uns), mich (…|) erinnern, vergiss nicht mich … zu erinnern
        remind_other: erinner(e|), (kannst|könntest|würdest|magst) du … erinnern
        reminders: ((lösch|zeig)(e|)|storniere|stoppe|beende|entferne|streiche|vergiss|zeig(e|) mir|nenn mir|was sind|
            welche sind|wie lauten|mir|) meine erinnerungen (löschen|zeigen|),
            welche erinnerungen hab(e|) ich, habe ich erinnerungen, brich meine erinnerungen ab,
            hör auf mich zu erinnern, erinnere mich nicht mehr
        knowledge: was wei(ß|ss)t du (alles|so|) (über|ueber|von), was weißt du (alles|) (über|von) … so,
            wei(ß|ss)t du (et|irgend|)was über, was ist über … bekannt, was hast du dir über … gemerkt,
            erzähl(e|) mir alles über, was hast du (über|zu), (hast du|irgendwelche|) infos (zu|über),
            (sag mir|mir sagen|erzähl mir) was du über … weißt, mir sagen was du über
        who_is: wer (ist|is|bin|sind), kennst du, erzähl (mir|) von,
            erzähl(e|) mir (doch|) (bitte|) (mal|) (etwas|was|mehr) über
        help: hilfe, hilf mir, (wer|was) bist du, was kannst du (so|) (alles|), was kannst du noch, was machst du,
            wie funktioni(erst du|ert das), wie geht das, was kann ich dich fragen, stell dich vor, befehle,
            welche befehle (gibt es|hast du|kennst du), gibt es eine liste der befehle, wie benutzt man dich,
            wozu bist du da
        missed: was hab(e|) ich (alles|) verpasst, hab(e|) ich (et|)was verpasst,
            was (ist passiert|war los) während ich weg war, was gib(t es|t's) neues, was ist neu,
            bring mich auf den (neuesten|) stand
        everywhere: überall, ueberall, für alle, fuer alle, serverweit
        conjunctions: dass, das, daß
        interrogatives: was, wann, wo, wer, wem, wen, wessen, warum, wieso, wie, welche, ob
        questions: wer, was, wem, wen, wessen, warum, wieso, weshalb, wie, wo(hin|her|), wann, welche(r|s|), ist, sind,
            hat, haben, gibt es
        tell: sag (mir|uns), (mir|uns|) sagen, erzähl(e|), mir erzählen, zeig(e|), (mir|) zeigen, erklär(e|),
            (mir|) erklären, beschreib, nenn(e|), fass zusammen, hilf mir, mir helfen, suche
        chatter: (er|sie) (mir|dir|ihm|ihr|uns|euch|ihnen), ist, war, hat(te|), wird, wurde, geht, ging, funktioniert,
            sagt(e|), spinnt, macht, läuft, nervt, vergisst, weiß, kennt, und, oder, scheint, schreibt
        thanks: danke, dankeschön, dank, merci, dankesehr
        greeting: hallo, hi, hey, moin, servus, guten, gruß, grüß, morgen, abend
        farewell: tschüss, tschüs, tschau, ciao, nacht, wiedersehen, bis
        other: super, toll, klasse, cool, prima, genial, nice, perfekt, brav, guter, gut, gute, stark, schatz, beste,
            bester, held
        beside: dir, sehr, vielen, schön, schon, für, die, das, der, deine, hilfe, ganz, herzlich, herzlichen, dich,
            auch, tag, alle, zusammen, lieber, liebes, bot, wirt, du, bist, auf, bald, später, morgen, gemacht, antwort,
            und, nochmal, nochmals, n, ein, s, echt, einfach
    """),
    Language.FR: _table("""
        openers: salut, bonjour, hé, eh, ok, coucou, bon, alors, dis
        polite: s'il (te|vous) plaît, stp, svp, merci (d'avance|), bien, aussi, pour moi
        asking: peux-tu, pourrais-tu, (est-ce que|) tu (peux|pourrais), pou(vez|rriez)-vous, tu dois, il faut,
            je veux que tu, veux-tu (bien|), tu veux bien, veuillez, ça te dérange de
        remember: souviens-toi, rappelle-toi, souvenez-vous, rappelez-vous, retiens, retenez, mémorise(z|), note(z|),
            garde en (tête|mémoire), garde … en (tête|mémoire), (n'|)oublie pas, n'oublie jamais,
            n'oubliez (pas|jamais), enregistre(z|), prends (en|) note, mets par écrit
        remember_asked: (te|vous) (souvenir|rappeler), retenir, mémoriser, noter, garder (…|) en tête,
            garder en mémoire, ne pas oublier, enregistrer, prendre note
        forget: oublie(z|), efface(z|), supprime(z|), (efface|supprime|enlève|retire) … de ta mémoire,
            efface de ta mémoire, laisse tomber l'histoire de, tu n'as plus besoin de (retenir|te souvenir),
            (t'as|) plus besoin de retenir
        forget_asked: oublier, (effacer|supprimer) (… de ta mémoire|)
        untrue: (ce n'est|c'est|il n'est) plus vrai, … (c'est|ce n'est) plus vrai
        never: (ne|) (retiens|note|mémorise) (pas|rien), ne (retiens|note|te souviens) jamais,
            ne te (souviens|rappelle) pas, n'enregistre (pas|rien|jamais), enregistre pas, ne garde (pas|rien),
            ne pas retenir, ne retenez (pas|rien), ne notez pas
        remind: rappelle-(moi|nous), rappelez-moi, (n'oublie pas de|souviens-toi de|pense à|) me rappeler, nous rappeler
        remind_other: rappel(le|ez|er) à
        remind_them: rappelle-l(ui|eur), l(ui|eur) rappeler
        reminders: (annule(r|)|supprime(r|)|efface(r|)|arrête|oublie|montre|montre-moi|me montrer|affiche|liste|
            quels sont|c'est quoi|) mes rappels,
            quels rappels ai-je, j'ai quels rappels, ai-je des rappels, est-ce que j'ai des rappels,
            arrête de me rappeler, ne me rappelle plus rien
        knowledge: (que sais-tu|qu'est-ce que tu sais) (sur|à propos de|à propos d'|de|d'), tu sais quoi (sur|de),
            sais-tu quelque chose sur, que savez-vous (sur|de), (dis-moi|me dire) ce que tu sais (sur|de),
            (qu'as-tu|qu'est-ce que tu as) retenu (sur|de), dis-moi tout sur, (tu as|t'as) (quoi|des infos) sur,
            (as-tu|) des infos sur, (raconte|dis)-moi quelque chose sur
        who_is: qui est, c'est qui, qui suis, connais-tu, tu connais, parle-moi (de|d')
        help: (à l'|)aide, aide-moi, qui es-tu, t(u |')es qui, qui êtes-vous, que (peux|sais)-tu faire,
            tu (peux|sais) faire quoi, qu'est-ce que tu (peux|sais) faire, comment (ça marche|tu marches), présente-toi,
            commandes, quelles commandes as-tu, tu as quelles commandes, (quelles sont|c'est quoi) tes commandes,
            comment on t'utilise, tu sers à quoi, à quoi (tu sers|sers-tu)
        missed: qu'est-ce que j'ai (raté|manqué|loupé), j'ai (raté|manqué|loupé) quoi, qu'ai-je (manqué|raté),
            j'ai (raté|manqué) quelque chose, quoi de neuf, mets-moi (au courant|à jour),
            (que s'est-il|qu'est-ce qui s'est) passé pendant mon absence
        everywhere: partout, pour tout le monde, pour tous
        conjunctions: que, qu', de ce que, du fait que
        interrogatives: quand, où, qui, pourquoi, comment, quel, quelle, si, ce
        questions: qui, pourquoi, comment, combien, quel(le|)(s|), qu'est-ce, est-ce, c'est quoi
        tell: dis-moi, dites-moi, (me|nous|) dire, raconte(z|), montre(r|), explique(r|), m'expliquer, décris, résume,
            aide-moi, (m'|)aider, cherche
        chatter: est, n'est, était, n'a, avait, ne, marche, fonctionne, dit, fait, va, semble, oublie, sait, et, ou,
            plante, de merde
        thanks: merci, remercie, mercii
        greeting: bonjour, salut, bonsoir, coucou, hello
        farewell: revoir, ciao, bye, adieu, bientôt, nuit
        other: super, génial, parfait, bravo, cool, excellent, bien, top, chouette, meilleur
        beside: beaucoup, bien, à, toi, a, vous, pour, ton, votre, aide, ta, réponse, la, le, ça, mille, fois, encore,
            tout, monde, tous, je, te, bonne, au, cher, bot, joué, et, t, es, tu, un, trop, vraiment
    """),
    Language.ES: _table("""
        openers: hola, oye, hey, ok, vale, bueno, eh, y
        polite: por favor, porfa, porfi, porfavor, gracias, bien, también, para mí
        asking: (me|) puedes, podrías, puede, podría, podéis, tienes que, debes, qui(ero|siera) que, te importa(ría|)
        remember: recuerd(a|e), recordad, acuérdate (de|), acuérdese de, (no|nunca) olvides, no te olvides (de|),
            no olvide, memori(za|ce), anot(a|e), apunt(a|e), apúntate, ten (en cuenta|presente), toma nota (de|),
            guarda, guárdate
        remember_asked: recordar, acordarte (de|), memorizar, anotar, apuntar, tener en cuenta, recuerdes, no olvidar,
            tomar nota (de|), guardar
        forget: olvid(a|e|ad), olvídate (de|), olvídese de, borr(a|e), elimin(a|e), borra de tu memoria,
            (borra|elimina|quita) … de tu memoria, deja lo de, ya no hace falta que recuerdes,
            no hace falta que recuerdes más, ya no (tienes que|necesitas) recordar
        forget_asked: olvidar(te|te de|), olvides, (borrar|eliminar) (… de tu memoria|), borres, elimines
        untrue: ya no es (verdad|cierto|así), … ya no es (verdad|cierto)
        never: (no|nunca) (recuerdes|guardes|apuntes|anotes|memorices), jamás recuerdes, no te (acuerdes|quedes con),
            no (recordar|guardar)
        remind: recuérda(me|nos), recordar(me|nos), acuérdate de recordarme, no olvides recordarme, hazme acordar,
            avísame
        remind_them: recuérdale(s|), recordarle(s|)
        reminders: (cancela(r|)|borra(r|)|elimina(r|)|quita|olvida|muestra|muéstrame|mostrarme|enséñame|enseñarme|
            lista|dime|cuáles son|) mis recordatorios,
            qué recordatorios tengo, tengo recordatorios, deja de recordarme, no me recuerdes nada más
        knowledge: (dime|decirme|) qué (es lo que|) (sabes|recuerdas|has guardado|has apuntado|tienes) (de|sobre),
            qué sabe de, qué sabes acerca de, sabes algo (de|sobre), (dime|cuéntame) lo que sabes (de|sobre),
            dime todo sobre, (cuéntame|dime) algo (de|sobre), (tienes|alguna) info (de|sobre)
        who_is: quién (es|soy), quiénes son, conoces a, háblame de, cuéntame (de|sobre)
        help: ayuda(me|), (quién|qué) eres, qué (más|) puedes hacer, qué sabes hacer, qué haces, cómo funciona(s| esto),
            qué puedo preguntarte, preséntate, comandos, qué comandos (tienes|hay), cuáles son tus comandos,
            hay una lista de comandos, cómo se te usa, para qué sirves
        missed: (de|) qué me (perdí|he perdido), me perdí (de|) algo, me he perdido algo, ponme al (día|corriente),
            qué hay de nuevo, qué (pasó|ha pasado) mientras no estaba
        everywhere: en todas partes, en todos lados, en todo el servidor, para todos, para todo el mundo
        conjunctions: que, de que
        interrogatives: qué, cuándo, dónde, quién, cómo, cuál, si
        questions: quién(es|), cuál(es|), cuánt(o|os|as), por qué, (a|)dónde
        tell: dime, decir(me|nos|), cuéntame, muéstrame, explícame, explica(r|rme|), describe, resume, ayúdame,
            ayudarme, busca
        chatter: es, era, está, estaba, tiene, ha, había, (no|) funciona, no es, no está, dice, parece, (no|) sabe, y,
            o, hace, fue, de mierda, de los
        thanks: gracias, agradezco
        greeting: hola, buenas, buenos, saludos
        farewell: adiós, chao, chau, luego, pronto, noches
        other: genial, perfecto, bravo, guay, excelente, bueno, buen, estupendo, crack, máquina, mejor, grande
        beside: muchas, muchísimas, mil, por, la, tu, su, ayuda, todo, respuesta, a, ti, todos, te, lo, hasta, días,
            tardes, muy, bot, trabajo, querido, amigo, y, de, nuevo, eres, un, una, el
    """),
    Language.RU: _table("""
        openers: привет, эй, ок, слушай, ну, так, а
        polite: пожалуйста, плиз, плз, пж, спасибо, спс, себе, ещё, тоже, для меня
        asking: (не|) можешь (ли ты|), ты можешь, (не|) мог бы ты, ты мог бы, не могла бы ты, (не|) можете,
            (не|) могли бы вы, ты должен, (тебе|) (надо|нужно)
        remember: запомни(те|), запоминай, помни(те|), не забудь(те|), не забывай(те|), запиши(те|), заметь,
            имей в виду, имей ввиду, учти, сохрани, отметь
        remember_asked: запомнить, помнить, не забыть, не забывать, записать, иметь в виду, сохранить, отметить
        forget: забудь (про то|о том|про|о|об|), забудьте (про|о|об|), забывай, удали(те|), сотри(те|),
            (удали|сотри|убери) … из памяти, больше не помни, можешь больше не помнить, больше не (нужно|надо) помнить
        forget_asked: забыть (про то|о том|про|о|об|), удалить (… из памяти|), стереть (… из памяти|)
        untrue: (это|…|) (уже|больше) не(| )правда
        never: (никогда|) не запоминай(те|), не (надо|нужно) запоминать, не запоминать, не записывайте,
            (никогда|) не (записывай|сохраняй), не надо записывать
        remind: напомни(те|) (мне|), напомни нам, напомнить (мне|), мне напомнить, не забудь (мне|) напомнить (мне|)
        remind_other: напомни(те|ть|)
        reminders: (отмени(ть|)|удали(ть|)|сотри|убери|забудь|(покажи|показать) (мне|)|перечисли|какие|)
            мои напоминания, какие у меня (есть|) напоминания, у меня есть напоминания, есть ли у меня напоминания,
            перестань (мне|) напоминать, не напоминай мне больше, больше не напоминай мне
        knowledge: (скажи|) что (ты|) (знаешь|помнишь|запомнил) (о|об|обо|про), что (тебе|) известно (о|об|про),
            расска(жи|зать) что знаешь (о|про), расскажи (всё|что-нибудь) (о|об|про), что у тебя есть (о|про),
            есть (инфа|информация|что-нибудь) (о|об|про|по)
        who_is: кто (такой|такая|такие|это), знаешь ли ты, ты знаешь, расскажи (о|об|обо|про)
        help: помощь, помоги (мне|), помогите, кто ты (такой|), ты кто, что ты (ещё|) (умеешь|можешь), что умеешь,
            как ты работаешь, как это работает, представься, команды, справка, какие (у тебя|есть) команды,
            (есть|) список команд, как тобой пользоваться, для чего ты, зачем ты нужен
        missed: что я (пропустил|упустил)(а|), я что-то пропустил(а|), что нового, что было без меня,
            что (произошло|было) пока меня не было, введи меня в курс (дела|)
        everywhere: везде, повсюду, для всех, на всём сервере
        conjunctions: что, то что
        interrogatives: когда, где, кто, почему, зачем, как, какой, какая, ли, что
        questions: кто, где, куда, откуда, почему, зачем, сколько, как(ой|ая|ое|ие), чей, чья
        tell: скажи, (мне|) сказать, расскажи, рассказать, покажи, показать, объясни(ть|), опиши, перечисли, помоги,
            помочь, найди
        chatter: был(а|о|), сломался, упал, завис, (не|) (работает|знает|умеет), говорит, сказал, опять, снова, и, или,
            тупит, глючит, лежит, умер, забыл
        thanks: спасибо, благодарю, пасиб, спс, спасибки
        greeting: привет, здравствуй, здравствуйте, добрый, доброе, приветствую, хай
        farewell: пока, прощай, свидания, встречи, ночи
        other: супер, круто, класс, отлично, браво, молодец, здорово, хороший, лучший, умница, красавчик
        beside: большое, огромное, тебе, вам, за, помощь, ответ, день, вечер, утро, всем, до, спокойной, доброй, бот, и,
            ещё, ты, самый, просто
    """),
}


# What is typed in haste: letters that are repeated, and common misspellings of the words we look for.
#
# What stands where is still known: the words behind a verb come out as they were typed.


_FIRST_WORDS = 10
_RUN = re.compile(r"([^\W\d_])\1{2,}+")
_WORD = re.compile(r"[^\W\d_]++")

_MISSPELT = dict(
    pair.split(":")
    for pair in fold(
        "u:you ur:your r:are wat:what wut:what wot:what abt:about bout:about q:que че:что шо:что чо:что"
        " rember:remember remeber:remember remmeber:remember remmember:remember rememeber:remember rememver:remember"
        " remembr:remember forgt:forget froget:forget forgett:forget foget:forget frgt:forget mekr:merk mekren:merken"
        " vergis:vergiss vergess:vergiss souvien:souviens retien:retiens oubli:oublie recuedra:recuerda"
        " recureda:recuerda olvdiar:olvidar зопомни:запомни запомнии:запомни запмони:запомни забуть:забудь"
    ).split()
)


def as_meant(folded: Folded) -> Folded:
    """Spell a text's first words as they are meant."""
    folded = squeezed(folded)
    words = [word for _, word in zip(range(_FIRST_WORDS), _WORD.finditer(folded.text), strict=False)]
    meant = [(*word.span(), _MISSPELT[word[0]]) for word in words if word[0] in _MISSPELT]
    return _exchanged(folded, meant)


def in_plain_spelling(word: str) -> str:
    """Spell a folded word as it is meant."""
    word = shrunk(word)
    return _MISSPELT.get(word, word)


def squeezed(folded: Folded) -> Folded:
    """Put one letter where three or more of a kind stand: "botttt", but not "Boot"."""
    return _exchanged(folded, [(*run.span(), run[1]) for run in _RUN.finditer(folded.text)])


def shrunk(text: str) -> str:
    """Shorten runs of a letter in a text whose places do not matter."""
    return _RUN.sub(r"\1", text)


def _exchanged(folded: Folded, changes: Sequence[tuple[int, int, str]]) -> Folded:
    """Put other words in the place of some, each standing where the other began."""
    if not changes:
        return folded
    pieces: list[str] = []
    origins: list[int] = []
    place = 0
    for start, end, word in changes:
        pieces += [folded.text[place:start], word]
        origins += [*folded.origins[place:start], *[folded.origins[start]] * len(word)]
        place = end
    return Folded(folded.original, "".join(pieces) + folded.text[place:], (*origins, *folded.origins[place:]))
