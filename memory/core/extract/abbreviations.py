"""Words that end with a full stop without ending a sentence, in the five languages; folded, without the last stop."""

from memory.core.language import word_set

ABBREVIATIONS = word_set(
    # English
    "mr mrs ms dr prof sr jr st vs e.g i.e eg ie approx no nos vol fig ch pp ed dept est ext incl min max temp tel"
    " gen sgt capt lt col rev hon gov ave blvd aka cf viz"
    # German
    " z.b z.t d.h u.a o.a u.u i.d.r s.o s.u m.e bzw ca evtl ggf inkl exkl nr str vgl bzgl sog abs art bd geb gest hr fr"
    " hrsg jh kap mio mrd mind max o.k s.g tgl urspr usw u.s.w v.a ver zz zzgl z.zt"
    # French
    " m mm mme mmes mlle p.ex env av bd chap cf n.b p.s s.v.p tél art éd"
    # Spanish
    " sra srta sres d da ud uds vd p.ej ej núm pág págs av avda aprox c.f ee.uu"
    # Russian
    " т.е т.к т.н т.о т.ч напр др пр г гг ул им кв стр рис см ср руб коп тыс млн млрд проф акад св гл"
)

MAY_END_A_SENTENCE = word_set(
    "etc usw u.s.w etcetera co inc ltd corp gmbh a.m p.m am pm no nos ok o.k т.д т.п др пр г гг руб ud uds ee.uu"
)
"""These do both: what follows decides."""

BEFORE_ORDINALS = word_set("am zum der die das dem den im vom beim ab bis jeder jede jedes unser mein sein ihr ihren")
"""German writes "zum 3. Mal": behind these, a number with a full stop counts."""
