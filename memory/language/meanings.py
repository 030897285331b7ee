"""What people tell and ask of each other most, as the five languages say it: "live", "wohnt" and "живёт" mean alike.

Only for comparing a question with what was told in another language, where no word of it may be the same.
"""

from collections.abc import Iterable

from memory.language.detect import word_set
from memory.language.stems import stem

_MEANINGS = tuple(
    frozenset(stem(word) for word in word_set(words))
    for words in (
        "live lives living home reside wohne wohnst wohnt wohnen lebe lebt zuhause habite habites habiter vis vit"
        " vivo vives vive vivir живу живешь живет живут жить проживает moved umgezogen gezogen déménagé emménagé mudé"
        " mudó mudado переехал переехала",
        "work works working job profession arbeite arbeitest arbeitet arbeiten beruf travaille travailler métier"
        " boulot trabajo trabajas trabaja trabajar empleo работаю работаешь работает работать работа профессия",
        "old age alt alter jahre âge ans años edad лет год года возраст",
        "birthday born geburtstag geboren anniversaire né née cumpleaños nací nació nacido рождения родился родилась",
        "eat eats eating food esse isst essen gegessen mange manges manger comer comida comes ем ешь ест едят еда",
        "drink drinks drinking trinke trinkst trinkt trinken bois boit boire bebo bebes bebe beber пью пьешь пьет пить",
        "name named called heiße heißt heißen nom prénom appelle appelles llamo llamas llama nombre зовут имя",
        "speak speaks language languages spreche spricht sprache sprachen parle parler langue langues hablo habla"
        " idioma idiomas говорю говорит язык языки языке",
        "dog dogs hund hunde chien chiens perro perros perra собака собаки собаку",
        "cat cats katze katzen kater chat chats gato gatos gata кот кошка кошки кошку",
        "sister sisters schwester schwestern sœur sœurs hermana hermanas сестра сестры сестру",
        "brother brothers bruder brüder frère frères hermano hermanos брат брата братья",
        "mother mum mom mutter mama mère maman mamá мать мама",
        "father dad vater papa père padre papá отец папа",
        "child children kid kids son daughter kind kinder sohn tochter enfant enfants fils fille hijo hijos hija"
        " ребенок дети сын дочь",
        "wife husband partner married frau mann verheiratet femme mari marié mariée esposa esposo marido casado casada"
        " жена муж женат замужем",
        "car drive drives auto fahre fährt voiture conduis conduit coche carro conduzco conduce машина вожу водит",
        "play plays playing spiele spielst spielt spielen joue joues jouer juego juegas juega jugar играю играешь"
        " играет",
        "study studies studying studiere studiert studieren étudie étudier estudio estudia estudiar учусь учится",
        "allergic allergy allergies allergisch allergie allergique alérgico alérgica alergia аллергия аллергик",
    )
)


def meanings_of(topics: Iterable[str]) -> frozenset[int]:
    """Which of them these stems speak of; a number means nothing by itself."""
    spoken = frozenset(topics)
    return frozenset(number for number, words in enumerate(_MEANINGS) if not words.isdisjoint(spoken))
