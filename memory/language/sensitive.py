"""Says whether a text touches a topic that is left out of summaries: known by its words alone, as well as that can be.

Whoever writes around a topic is not recognised, and a harmless use of a word may be: "sick beat". A topic that is left
out for nothing costs a sentence; one that is kept for nothing costs trust.
"""

import re
from functools import cache

from memory.language.text import fold

# Words by which sensitive topics are known, as people type them.
#
# A star stands for any ending, a hyphen for a space, a hyphen or nothing. Words that mostly mean something else in chat
# are left out ("demo", "oh my god", German "sucht" for "is looking for"); other doubts count as sensitive.


WORDS = (
    # Health; what several languages share stands with one of them
    "chemo* tumor* tumour* diabet* depress* antidepress* bipolar anxiety adhd autis* schizo* therap* psycholog*"
    " hospital* surgery surgeries surgeon* prescription* antibiotic* pregnan* miscarr* abortion* hiv aids suicid*"
    " self-harm seriously-ill is-ill was-ill had-a-stroke diagnosed diagnosis overdose* rehab addict* alcoholic*"
    " insulin epilep* asthma migraine* disease* illness* sick symptom* covid biops* dementia alzheimer* disabilit*"
    " wheelchair ptsd eating-disorder anorex* bulimi* panic-attack* blood-pressure blood-test* doctor doctors my-meds"
    # in German
    " krebs* angststörung* psychothera* psychiat* diagnose diagnostizier* süchtig* klinik* krank* operiert"
    " medikament* schwanger* fehlgeburt* abtreibung* selbstmord* suizid* entzug alkoholiker* schlaganfall* infektion*"
    " arzt ärztin ärzte arzttermin* behinder* rollstuhl essstörung*"
    # in French
    " cancer* tumeur* anxiété hôpital hôpitaux malade* maladie* ordonnance* enceinte* grossesse fausse-couche"
    " avortement* toxicoman* infect* médecin* chirurg* handicap*"
    # in Spanish
    " depresi* deprimid* ansiedad psiquiatr* psicólog* enferm* receta-médica embaraz* aborto* adicci* adicto*"
    " infecci* síntoma* médico* médica* cirug* operaron discapacid*"
    # in Russian
    " рак раком опухол* диабет* депресс* психиатр* психолог* больниц* болезн* болею болеет заболел* лекарств*"
    " таблетк* беремен* выкидыш* аборт* самоубий* суицид* наркоман* алкогол* инфекц* симптом* врач* операцию инвалид*"
    " диагноз*"
    # in others
    " grávida* doente* malat* ospedale incinta ziek* zwanger* choroba* szpital* ciąż* hamile* がん 鬱 うつ病 病院"
    " 妊娠 病気 入院 癌症 抑郁 怀孕 医院 生病 암에 우울증 병원 임신 سرطان اكتئاب مستشفى حامل مريض"
    # Finance
    " salary salaries wage wages paycheck* paycheque* income debt debts indebted mortgage* bankrupt* foreclos*"
    " bank-account* credit-score* credit-card* overdraft* loan loans my-savings rent-arrears evict* unemploy* welfare"
    " iban my-inheritance payday tax-return* net-worth gehalt* lohn löhne einkommen schulden* bankkonto verschulde*"
    " hypothek* insolven* pleite privatinsolvenz kontostand kredit* dispo arbeitslos* bürgergeld hartz"
    " steuererklärung* erbschaft* geerbt salaire* mes-revenus hypothèque* dette* endett* faillite compte-bancaire"
    " découvert-bancaire crédit-immobilier chômage héritage* salario* sueldo* nómina deuda* endeud* hipoteca*"
    " bancarrota cuenta-bancaria préstamo* desemple* herencia* зарплат* доход* ипотек* долги долгов долгами банкрот*"
    " кредит* безработ* пособи* наследств* dívida* stipendio* salaris hypotheek* pensja kredyt* maaş* borç* 給料 借金"
    " 年収 工资 负债 연봉 대출 راتب ديون"
    # Sexuality
    " sex sexy sexual* porn* nude nudes horny gay lesbian* bisexual* homosexual* transgender* transsexual* queer"
    " lgbt* asexual* pansexual* orgasm* masturbat* erection* fetish* onlyfans condom* virgin virginity came-out-as"
    " my-coming-out coming-out-as mein-coming-out rape raped rapist* schwul* lesbisch* lesbe* nackt* vergewaltig*"
    " sexe sexuel* lesbienne* homosexuel* bisexuel* transgenre* viol violée sexo desnud* violación violaron cachond*"
    " секс* гей гея лесби* гомосексуал* бисексуал* транссексуал* порно* изнасил* セックス 同性愛 エロ 性爱 同性恋"
    " 게이 섹스 جنس مثلي"
    # Religion
    " jesus believe-in-god christ christian* muslim* islam* jew jews jewish judais* hindu* buddhis* protestant*"
    " atheis* agnostic* church* mosque* synagogue* bible quran koran torah pray prayed prayer* praying allah ramadan"
    " baptis* religio* pastor priest imam rabbi sermon christen christlich* moslem* juden jüdisch* katholi*"
    " glaube-an-gott evangelisch* kirche* moschee* synagoge* bibel beten gebetet gebet gebete getauft taufe"
    " konfirmation gottesdienst* pfarrer* chrétien* croire-en-dieu crois-en-dieu juif juive* juifs catholi* église*"
    " prier prière* religieu* baptême cristian* creo-en-dios musulmá* judío* judía* católic* iglesia* mezquita* rezar"
    " rezo oración bautizo христиан* мусульман* ислам* еврей* иуде* католи* православн* церков* церкви мечет* молит*"
    " молюсь религи* крещен* igreja* chiesa kościół kościoła 教会 神社 祈り 宗教 教堂 佛教 교회 기도 الله مسجد كنيسة"
    " رمضان"
    # Politics
    " politic* election* left-wing democrat* republican* conservativ* liberals socialis* communis* fascis* nazi nazis"
    " trump biden putin zelensky* brexit parliament* congress senator* president-elect right-wing protest protests"
    " refugee* gaza israel* palestin* hamas abortion-law* maga politik* wahlen wähle-die wahlkampf* afd cdu spd csu"
    " fdp kanzler* bundestag* demonstr* flüchtling* asyl* merz scholz politique* macron mélenchon gauche-radicale"
    " extrême-droite manif manifestation* réfugié* immigr* elecciones elección psoe podemos gobierno manifestación"
    " refugiad* inmigra* политик* политич* выборы выборах путин* навальн* зеленск* митинг* беженц* мобилизац* eleição"
    " eleições elezioni verkiezing* wybory seçim* 選挙 政治 自民党 选举 政府 선거 정치 انتخابات سياسة"
    # Children
    " my-son my-sons my-daughter my-daughters my-kid my-kids my-child my-children our-son our-daughter our-kid"
    " our-kids our-child our-children my-baby our-baby my-toddler toddler* newborn* kindergarten* preschool* daycare"
    " elementary-school middle-school custody underage year-old-kid* my-little-one my-boy my-girl years-old-kid*"
    " mein-sohn meine-tochter mein-kind meine-kinder meinem-sohn meinen-sohn meiner-tochter meinen-kindern unser-sohn"
    " unsere-tochter unser-kind unsere-kinder unser-baby mein-baby kita grundschule* sorgerecht neugeboren* mon-fils"
    " ma-fille mes-enfants mon-enfant notre-fils notre-fille nos-enfants mon-bébé notre-bébé crèche maternelle"
    " mi-hijo mi-hija mis-hijos mis-hijas nuestro-hijo nuestra-hija nuestros-hijos mi-bebé guardería мой-сын моя-дочь"
    " мои-дети моего-сына мою-дочь моего-ребенка мой-ребенок наш-сын наша-дочь наши-дети сынок дочка детсад*"
    " детский-сад meu-filho minha-filha meus-filhos mio-figlio mia-figlia mijn-zoon mijn-dochter 息子 娘が うちの子"
    " 保育園 儿子 女儿 幼儿园 우리아이 아들이 딸이 ابني ابنتي أطفالي"
)


_SPACELESS = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FIRST_LETTERS = 3


def is_sensitive(text: str) -> bool:
    return _anything().search(fold(text)) is not None


@cache
def _anything() -> re.Pattern[str]:
    return re.compile(_written(WORDS.split()))


def _written(words: list[str]) -> str:
    """Write words as a pattern; those that begin alike stand together, so that a text is looked at once."""
    plain = sorted({fold(word) for word in words if not _SPACELESS.search(word)})
    spaceless = sorted({fold(word) for word in words if _SPACELESS.search(word)})
    groups: dict[str, list[str]] = {}
    for word in plain:
        head = word.rstrip("*")[:_FIRST_LETTERS]
        groups.setdefault(head if "-" not in head else head[:1], []).append(word)
    bundles = [
        f"{re.escape(head)}(?:{'|'.join(_form(word[len(head) :]) for word in sorted(group, key=len, reverse=True))})"
        for head, group in groups.items()
    ]
    return rf"(?<!\w)(?:{'|'.join(bundles)})|{'|'.join(map(re.escape, spaceless))}"


def _form(rest: str) -> str:
    """Write the end of a word as a pattern. A hyphen stands for a space, a hyphen or nothing."""
    body, star, _ = rest.partition("*")
    return re.escape(body).replace(r"\-", r"[\s-]*") + (r"\w*" if star else r"(?!\w)")
