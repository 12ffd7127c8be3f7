"""Words that coding requests are made of: they say what to do, seldom what it is about.

A memory that shares only such words with a prompt is not about the prompt. They are written as the tokeniser's stems
(of Chinese, Japanese and Korean as its pairs): stemming them at each start took 0.4 ms.
"""

GENERIC = frozenset(
    """
add adjust allow answer apply archivo around arregla arreglar ask avoid ayuda añad añadir back bad bas benutz better big
bitt brauch break bug build call cambia cambiar chang check clean clear clos cod com command comment compar complet
continu convert copy correct crea crear creat current código dat datei day debug default delet describ detail
different display do document doubl easy edit els empty enabl end ensur error erstell erstellen exampl execut exist
expect explain extend extra extract fail fast featur fil fin find finish first fix folder follow format full
function generat get giv go good great hacer handl happen haz help hilf hour idea implement import improv includ
info insid install instead issu job kannst keep kind know last later latest left let lik lin list littl load local
long look lot mach machen main mak many mayb mean messag minut miss mod modify month mov nam necesito need new next
nic not number nutz nutzen ok old open option order output pag part pass path pick plac plan pleas point possibl pr
print problem project proper provid pued pull push put question quick quiero read ready real reason refactor
referenc remember remind remov renam replac request requir result return review rewrit right run sav say script
search second see select send set setup short show simpl singl soon sort start stat step still stop string stuff
styl suggest summaris summariz support sur switch system tak tell test text thing think tim titl today together
tomorrow tool top total try turn typ understand updat usa usar use user valu version view wait want way week word
work writ wrong yesterday zeig änder ändern
all alway anyth class cuéntam erzähl everyth fact fass gib immer loop method mind never nie niemal noth nunca overview
recap resum resumen sab sabemo siempr sobr someth stet summary toda todo variabl weißt wissen zusammen überblick
dank favor freundlich grateful gustaría ihnen kindly könnt könnten möcht möchten podría quisiera ust usted vielen würd
würden
什么 我们 一个 这个 那个 哪个 怎么 可以 帮我 请问 如何 修改 添加 删除 解释 运行 代码 文件 函数 错误 是什 么是
修正 追加 削除 変更 確認 説明 作成 実行 教え 何で 関数
알려 실행 추가 수정 파일 코드 오류 확인 작성 설명 변경 삭제 생성 만들 보여 고쳐 함수
""".split()
)

# They ask to be told whatever is known, and say nothing of what about.
TELLING = frozenset(
    """
all anyth cuéntam erzähl everyth fass gib giv know overview recap resum resumen sab sabemo sobr summaris
summariz summary tell toda todo weißt wissen zusammen überblick
""".split()
)


def is_generic(term: str) -> bool:
    """An everyday word; a pair of hiragana is nearly always grammar ("です", "では")."""
    return term in GENERIC or (len(term) == 2 and "ぁ" <= term[0] <= "ゟ" and "ぁ" <= term[1] <= "ゟ")
