"""Greetings, thanks and farewells: what every day begins and ends with, and no memory is about."""

from awhm_hooks.recall.intent import WORK, is_cjk

LONGEST = 80  # characters

_WORDS = frozenset(
    """
hi hello hey hiya yo howdy greetings good great morning afternoon evening night day dear how are is it you your doing
going today there all again bye goodbye see ya later tomorrow soon have a an nice lovely weekend thanks
thank so very much many cheers welcome back please ok okay yes no sure cool perfect awesome fine and let's
i'm am that that's was lot help claude ready to start begin happy monday tuesday wednesday thursday friday
hola buenos buenas días dias tardes noches qué que tal cómo como estás estas está gracias muchas adiós hasta mañana
luego bien vale perfecto usted ustedes se encuentra encuentran hoy
hallo guten guter morgen tag abend nacht wie geht geht's gehts dir ihnen es danke schön dank vielen tschüss bis moin
servus dann heute und alles klar gut bei euch
bonjour bonsoir salut ça va merci beaucoup au revoir à demain
oi olá bom dia boa tarde obrigado ciao buongiorno grazie
""".split()
)
_GO_AHEADS = ("do it", "do that", "go ahead", "yes please", "sounds good", "looks good")
_FILLERS = frozenset("also and then now please just".split())
# The longer ones first: a part of one may be another.
_CJK_PHRASES = """
おはようございます おはよう こんにちは こんばんは ありがとうございました ありがとうございます ありがとう
どうぞよろしくお願いします よろしくお願いいたします よろしくお願いします よろしくお願い
お疲れ様でした お疲れ様です お疲れさまです さようなら また明日 今日も 本日も
早上好 上午好 下午好 晚上好 你们好 你好 您好 大家好 早安 晚安 谢谢你 谢谢您 谢谢 辛苦了 辛苦 在吗 在么 再见
明天见 今天 怎么样
안녕하세요 안녕 감사합니다 고마워요 고맙습니다 수고하셨습니다
""".split()


def is_small_talk(text: str) -> bool:
    """Nothing but greetings, thanks or farewells; a text without a word is none of them."""
    if len(text) > LONGEST:
        return False
    left = text.lower().replace("’", "'").replace("what's up", " ")
    for phrase in _CJK_PHRASES if is_cjk(left) else ():
        left = left.replace(phrase, " ")
    bare = "".join(char if char.isalnum() or char == "'" else " " for char in left)
    return _WORDS.issuperset(bare.split()) and any(char.isalnum() for char in text)


def is_go_ahead(text: str) -> bool:
    """The user only told the assistant to go on, and what to do besides: "Do it. Also update the README."."""
    if len(text) > LONGEST:
        return False
    first, *others = [sentence.split() for sentence in text.lower().rstrip(".! ").replace("!", ".").split(". ")]
    if " ".join(first).rstrip(".,") not in _GO_AHEADS:
        return False
    return all(next((word for word in words if word not in _FILLERS), "") in WORK for words in others)
