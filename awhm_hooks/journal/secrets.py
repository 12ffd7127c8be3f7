"""Secrets known by their form, wherever they stand: issued keys, credentials in addresses, headers, commands, cards.

Each row has a label (its kind; "~" and a number where a kind has several), the lower-case substrings one of which a
text must hold before the pattern is tried (`_LONG`: any text with a long word), and the pattern. A group named `s` is
the secret, else the whole match is. Secrets that only a word beside them gives away are named_secrets.py's.
"""

from awhm_hooks import regexes
from awhm_hooks.journal import noise
from awhm_hooks.journal.redact import CARD_DIGITS, LONG_WORD_CHARS, digit_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match, Pattern

MASK = "[redacted:"


def _opens(prefix: str) -> str:
    """The prefix, no letter or digit before it. In this order: what begins with letters is sought ten times as fast."""
    return prefix + rf"(?<![A-Za-z0-9]{prefix})"


_ALONE = r"(?<![A-Za-z0-9])"
_ENDS = r"(?![A-Za-z0-9])"
_REAL = r"(?!\[redacted:|[\"'`]?[$<{%*])"  # neither masked nor a placeholder
_WORD = r"(?P<s>'[^'\n]{1,200}'|\"[^\"\n]{1,200}\"|[^\s'\"<>|;&]{3,200})"  # of a command line
_IN_LINE = r"[^\n|;&]{0,300}?\s"
_SCHEME = r"(?i)(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,30}://"
_DATABASE = r"(?i)(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql)(?:\+[a-z0-9]+)?://"
_QUOTE = r"\\?[\"'`]?"
_HEADER = rf"(?i)authorization{_QUOTE}\s{{0,3}}[:=,]\s{{0,3}}{_QUOTE}"
_NAMED = r"(?:password|passwd|passphrase|secret|token|api[_-]?key|private-?key)"
_LONG = ("",)

_ISSUED: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), _opens("gh") + r"[pousr]_[A-Za-z0-9]{10,}"),
    ("github-token~2", ("github_pat_",), _opens("github_pat_") + r"[A-Za-z0-9_]{10,}"),
    (
        "gitlab-token",
        ("glpat-", "glptt-", "gldt-", "glrt", "glcbt-", "gloas-", "glft-", "glsoat-", "glagent-", "glimt-"),
        _opens("gl") + r"(?:pat|ptt|dt|rtr?|cbt|oas|ft|soat|agent|imt)-[A-Za-z0-9_.-]{10,}(?<![.-])",
    ),
    ("aws-access-key-id", ("akia", "asia", "abia", "acca"), _opens("A") + r"(?:KI|SI|BI|CC)A[A-Z0-9]{16}" + _ENDS),
    (
        "aws-secret-key",
        ("secret",),
        r"(?i)aws[\w .-]{0,20}(?:secret|private)[\w .-]{0,20}[\"'`]?[^A-Za-z0-9/+\n]{1,6}(?:is )?[\"'`]?"
        r"(?P<s>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
    ),
    ("anthropic-key", ("sk-ant-",), _opens("sk-ant-") + r"[A-Za-z0-9_-]{8,}"),
    ("openrouter-key", ("sk-or-",), _opens("sk-or-") + r"[A-Za-z0-9_-]{16,}"),
    (
        "openai-key",
        ("sk-",),
        _opens("sk-") + r"(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{10,}|(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{16,})",
    ),
    ("slack-token", ("xox",), _opens("xox") + r"[abceoprs](?:\.[a-z]{3,5})?-[A-Za-z0-9-]{8,}"),
    ("slack-token~2", ("xapp-",), _opens("xapp-") + r"\d-[A-Za-z0-9-]{10,}"),
    (
        "slack-webhook",
        ("hooks.slack",),
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/(?P<s>[A-Za-z0-9/_+-]{8,})",
    ),
    (
        "discord-webhook",
        ("discord",),
        r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(?P<s>\d{5,}/[A-Za-z0-9_-]{16,})",
    ),
    ("teams-webhook", ("webhook.office",), r"webhook\.office\.com/webhookb2/(?P<s>[^\s\"'<>\[]{20,})"),
    ("stripe-key", ("sk_", "rk_"), r"(?:sk|rk)(?<![A-Za-z0-9]..)_(?:live|test|prod)_[A-Za-z0-9]{8,}"),
    ("stripe-webhook-secret", ("whsec_",), _opens("whsec_") + r"[A-Za-z0-9+/=]{12,}"),
    ("google-api-key", ("aiza",), _opens("AIza") + r"[A-Za-z0-9_-]{30,}"),
    ("google-oauth-token", ("ya29.",), _opens(r"ya29\.") + r"[A-Za-z0-9_.-]{15,}(?<![.-])"),
    ("google-oauth-token~2", ("1//0",), _opens("1//0") + r"[A-Za-z0-9_-]{20,}"),
    ("google-client-secret", ("gocspx-",), _opens("GOCSPX-") + r"[A-Za-z0-9_-]{20,}"),
    ("npm-token", ("npm_",), _opens("npm_") + r"[A-Za-z0-9]{30,}"),
    ("pypi-token", ("pypi-",), _opens("pypi-") + r"(?=[a-z-]{0,200}[A-Z0-9])[A-Za-z0-9_-]{30,}"),
    ("huggingface-token", ("hf_",), _opens("hf_") + r"[A-Za-z0-9]{20,}"),
    (
        "jwt",
        ("eyj",),
        _opens("eyJ") + r"[A-Za-z0-9_-]{8,}(?:\.eyJ[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?"
        r"|\.[A-Za-z0-9_-]{2,}(?:\.[A-Za-z0-9_-]*){1,3})",
    ),
    ("age-key", ("age-secret-key",), r"AGE-SECRET-KEY-1[0-9A-Z]{20,}"),
    (
        "password-hash",
        ("$2", "$argon2", "$6$", "$5$", "$1$"),
        r"\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{40,}|argon2i?d?\$[^\s\"'<>]{20,}|[156]\$[^\s\"'<>]{15,})",
    ),
    ("sendgrid-key", _LONG, _opens(r"SG\.") + r"[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64}"),
    ("twilio-key", _LONG, _opens("SK") + r"[0-9a-f]{32}" + _ENDS),
    ("telegram-token", _LONG, r"(?<![A-Za-z0-9:])(?:bot)?\d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    (
        "discord-token",
        _LONG,
        _ALONE + r"(?:[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}|mfa\.[A-Za-z0-9_-]{60,})",
    ),
    ("digitalocean-token", ("_v1_",), _ALONE + r"do[opr]_v1_[a-f0-9]{32,}"),
    ("mailgun-key", ("key-",), _opens("key-") + r"[0-9a-f]{32}" + _ENDS),
    ("mailchimp-key", ("-us",), _ALONE + r"[0-9a-f]{32}-us\d{1,2}" + _ENDS),
    ("azure-client-secret", ("q~",), _ALONE + r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),
    ("vault-token", ("hvs.", "hvb.", "hvr."), _opens("hv") + r"[sbr]\.[A-Za-z0-9_-]{24,}"),
    (
        "api-key",
        _LONG,
        r"(?<![A-Za-z0-9_])(?:shp(?:at|ca|pa|ss)_|lin_api_|ntn_|secret_(?=[A-Za-z0-9]{43}(?![A-Za-z0-9]))"
        r"|dapi(?=[a-f0-9]{32})|dckr_[po]at_|dp\.[sp]t\.|glsa_|glc_|PMAK-|NRAK-|sntry[su]_|sbp_|sb_secret_"
        r"|pscale_(?:tkn|pw|oauth)_|nfp_|fo1_|FlyV1 fm\d_|HRKU-|sq0(?:atp|csp)-|figd_|gsk_|xai-|r8_|pplx-|tvly-"
        r"|rubygems_|pul-|CCIPAT_|bkua_|ATATT3|AKCp|ops_eyJ|EAACEdEose0cBA|pat(?=[A-Za-z0-9]{14}\.[a-f0-9]{64})"
        r"|phx_|re_(?=[A-Za-z0-9]{8}_)|fc-(?=[a-f0-9]{32})|e2b_(?=[a-f0-9]{40}))"
        r"(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_.=/+-]{20,}",
    ),
)
_IN_ADDRESSES = (
    (
        "password",
        ("://",),
        rf"{_SCHEME}[^\s/:@?#\"'<>`\[\]]{{0,200}}:{_REAL}(?P<s>[^\s/\"'<>`]{{1,300}})@(?=[\w\[-])",
    ),
    (
        "password~2",
        ("://",),
        rf"{_DATABASE}[^\s/:@?#\"'<>`]{{0,100}}:{_REAL}(?!\d{{1,5}}/)(?P<s>[^\s\"'<>`@]{{1,200}})@(?=[\w\[-])",
    ),
    ("token", ("://",), r"(?i)https?://(?P<s>(?=[a-z_-]{0,99}\d)[a-z0-9_-]{20,200})@(?=[\w\[-])"),
    ("password~3", ("jdbc:",), rf"(?i)jdbc:oracle:\w{{3,5}}:[\w.-]{{1,60}}/{_REAL}(?P<s>[^\s@/\"'<>]{{1,200}})@"),
    (
        "signature",
        ("sig=", "signature="),
        r"(?i)[?&;](?:x-(?:amz|goog)-)?sig(?:nature)?=(?P<s>[A-Za-z0-9%+/=_-]{16,})",
    ),
)
_IN_HEADERS = (
    (
        "authorization",
        ("authorization",),
        rf"{_HEADER}(?:basic|bearer|token|negotiate|apikey|api-key|bot|ssws|key)\s{{1,3}}"
        r"(?P<s>(?=[^\s\"'`]{0,2000}[0-9=]|[^\s\"'`]{20})[A-Za-z0-9+/_~.=:|-]{4,})",
    ),
    (
        "authorization~2",
        ("authorization",),
        rf"{_HEADER}(?:oauth|digest|hmac|aws4-hmac-sha256|hawk|signature)\s{{1,3}}(?!\[redacted:)(?P<s>[^\n]{{8,}})",
    ),
    (
        "authorization~3",
        ("authorization",),
        rf"{_HEADER}(?P<s>(?=[a-z_-]{{0,99}}\d)(?=\d{{0,99}}[a-z_-])[A-Za-z0-9+/_~.=-]{{16,}})",
    ),
    (
        "authorization~4",
        ("bearer ",),
        r"(?i)bearer(?<![\w-]bearer)\s{1,3}"
        r"(?P<s>(?=[a-z._~+/-]{0,200}\d)(?=[\d._~+/-]{0,200}[a-z])[A-Za-z0-9._~+/-]{16,}={0,2}(?<!\.))",
    ),
)
_IN_COMMANDS = (
    (
        "password~4",
        ("mysql", "mariadb"),
        rf"(?:mysql|mariadb)[\w-]{{0,20}}(?=\s){_IN_LINE}-p(?![\s\[<$-]){_REAL}{_WORD}",
    ),
    ("password~5", ("sshpass",), rf"sshpass\s{{1,3}}-p\s{{0,3}}{_REAL}{_WORD}"),
    ("password~6", ("docker login",), rf"docker login{_IN_LINE}(?:-p|--password)[ =]{_REAL}{_WORD}"),
    ("password~7", ("redis-cli",), rf"redis-cli{_IN_LINE}(?:-a|--pass)[ =]{_REAL}{_WORD}"),
    (
        "password~8",
        ("curl", "wget"),
        r"(?:curl|wget)(?=\s)[^\n|;]{0,400}?\s(?:-u|-U|--user|--proxy-user)[ =]?[\"']?[\w.@%+-]{1,80}:"
        rf"{_REAL}(?P<s>[^\s\"']{{2,200}})",
    ),
    (
        "password~9",
        ("password-stdin",),
        r"echo\s{1,3}(?:-n\s)?[\"']?(?![$\[-])(?P<s>[^\s\"'$|]{4,200})[\"']?\s{0,3}\|[^\n]{0,200}?--password-stdin",
    ),
)
_ELSEWHERE = (
    ("password~10", ("</",), rf"(?i)<[\w.:-]{{0,40}}?{_NAMED}>{_REAL}(?P<s>[^<>\s]{{4,2000}})</"),
    (
        "password~11",
        ("value",),
        rf"(?i)(?:name|key|id){_QUOTE}\s{{0,3}}[:=]\s{{0,3}}{_QUOTE}[\w.:-]{{0,40}}?{_NAMED}[\w.-]{{0,20}}{_QUOTE},?\s{{1,20}}"
        rf"{_QUOTE}value{_QUOTE}\s{{0,3}}[:=]\s{{0,3}}{_QUOTE}{_REAL}(?P<s>[^\s\"'<>\\]{{4,2000}})",
    ),
    (
        "password~12",
        ("identified",),
        r"(?i)identified\s{1,3}(?:with\s{1,3}\w{1,40}\s{1,3})?by\s{1,3}(?:password\s{1,3})?[\"']"
        rf"{_REAL}(?P<s>[^\"'\n]{{3,200}})",
    ),
    (
        "password~13",
        ("auth",),
        r"auth\s{0,3}[=:]\s{0,3}[(\[]\s{0,3}[\"'][^\"'\n]{1,80}[\"']\s{0,3},\s{0,3}[\"']"
        rf"{_REAL}(?P<s>[^\"'\n]{{3,200}})[\"']",
    ),
    (
        "password~14",
        ("credential", "creds", "login", "basic auth"),
        r"(?i)(?:(?:credentials?|creds|login)\b[^\n:=/]{0,30}?(?:\bis|\bare|:|=|\bwith|\bas)"
        r"|basic auth(?:entication)?\b(?: is| with|:)?)\s{1,3}[\"'`]?[\w.@-]{2,60}(?:\s?/\s?|:)"
        r"(?P<s>(?=[^\s\d]{1,40}\d)(?=[^\sa-zA-Z]{0,40}[a-zA-Z])[^\s\"'`/,;)\]\[]{6,60})",
    ),
)
ROWS = (*_ISSUED, *_IN_ADDRESSES, *_IN_HEADERS, *_IN_COMMANDS, *_ELSEWHERE)
_COOKIE = {
    "cookies": r"(?i)(?:set-)?cookie\\?[\"'`]?\s{0,3}[:=]\s{0,3}\\?[\"'`]?(?P<s>[\w.-]{1,80}=[^\n\"'`]{1,8000})",
    "pair": r"(?P<name>[\w.%-]{1,100})=(?!\[redacted:|[<${])(?P<value>[^;\s\"'`]{1,8000})",
}
_CARD = {"card": r"(?<![\w.,/-])(?:[0-9][ -]?){13,18}[0-9](?![\w/-]|[.,][0-9])"}
_BLOCKS = {
    "begin": r"-{4,5} ?BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}",
    "end": r"-{4,5} ?END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}",
    "first_word": r"[A-Za-z0-9+/=]{16}",
}
_COOKIE_ATTRIBUTES = ("path", "domain", "expires", "max-age", "samesite", "version", "priority", "comment")
_SOURCES = {**{label: source for label, _, source in ROWS}, **_COOKIE, **_CARD}

# Issuers' own number ranges; else every tenth long number of a log would pass the check digit.
_CARD_PREFIXES = (
    *("4", "51", "52", "53", "54", "55", "34", "37", "36", "38", "35", "62", "65", "6011"),
    *("300", "301", "302", "303", "304", "305"),
)
_AWS_NEAR_CHARS = 300


def redact(text: str) -> str:
    """The text with each secret's value replaced by `[redacted:kind]`."""
    lower = text.lower()
    patterns = regexes.group("redact_forms", _SOURCES)
    long_words = len(max(text.split(), key=len, default="")) >= LONG_WORD_CHARS
    had_aws_key = False
    for label, hints, _ in ROWS:
        if long_words if hints == _LONG else any(map(lower.__contains__, hints)):
            kind = label.partition("~")[0]
            before, text = text, _replace(patterns[label], kind, text)
            had_aws_key = had_aws_key or (label == "aws-access-key-id" and text != before)
    if had_aws_key:
        text = _aws_secrets_beside(text)
    if "cookie" in lower:
        text = _cookies(patterns, text)
    if digit_count(text) >= CARD_DIGITS:
        text = patterns["card"].sub(_card, text)
    return text


def without_key_blocks(text: str) -> str:
    """The text without private keys in armour; one whose end is missing reaches to the end of the text."""
    patterns = regexes.group("redact_blocks", _BLOCKS)
    pieces = []
    reached = 0
    has_end = True
    for begin in patterns["begin"].finditer(text):
        if begin.start() < reached:
            continue
        end = patterns["end"].search(text, begin.end()) if has_end else None
        has_end = end is not None
        if end is None and not _key_follows(patterns, text, begin.end()):
            continue  # a sentence that names the line
        pieces += [text[reached : begin.start()], f"{MASK}private-key]"]
        reached = len(text) if end is None else end.end()
    return _without_putty_keys("".join([*pieces, text[reached:]]))


def _without_putty_keys(text: str) -> str:
    pieces = []
    reached = 0
    start = text.find("PuTTY-User-Key-File-")
    while start >= 0 and text.find("Private-Lines:", start) >= 0:
        end = text.find("Private-MAC:", start)
        pieces += [text[reached:start], f"{MASK}private-key]"]
        reached = len(text) if end < 0 else noise.line_end(text, end)
        start = text.find("PuTTY-User-Key-File-", reached)
    return "".join([*pieces, text[reached:]])


def _key_follows(patterns: "dict[str, Pattern[str]]", text: str, start: int) -> bool:
    rest = text[start : start + 200].lstrip(" \t")
    if rest.startswith(("\n", "\\n", "\\r")):
        return not rest.isspace()
    return patterns["first_word"].match(rest) is not None


def _replace(pattern: "Pattern[str]", kind: str, text: str) -> str:
    mask = f"{MASK}{kind}]"
    has_part = "s" in pattern.groupindex

    def masked(match: "Match[str]") -> str:
        secret = match["s"] if has_part else match[0]
        if _is_sample(secret) or secret.startswith(MASK):
            return match[0]
        if not has_part:
            return mask
        start, end = match.span("s")
        return match[0][: start - match.start()] + mask + match[0][end - match.start() :]

    return pattern.sub(masked, text)


def _is_sample(secret: str) -> bool:
    """True for what documentation puts in a secret's place ("ghp_xxxxxxxxxxxx", "sk-ant-your-key-here")."""
    lower = secret.lower()
    return "xxxxx" in lower or "your" in lower or "....." in lower or "placeholder" in lower


def _aws_secrets_beside(text: str) -> str:
    """An AWS secret has no form of its own: 40 mixed characters within reach of a key id."""
    pattern = regexes.group("redact_aws", {"bare": r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])"})["bare"]

    def masked(match: "Match[str]") -> str:
        near = text[max(0, match.start() - _AWS_NEAR_CHARS) : match.end() + _AWS_NEAR_CHARS]
        word = match[0]
        mixed = any(map(str.isupper, word)) and any(map(str.islower, word)) and any(map(str.isdecimal, word))
        return f"{MASK}aws-secret-key]" if mixed and f"{MASK}aws-access-key-id]" in near else word

    return pattern.sub(masked, text)


def _cookies(patterns: "dict[str, Pattern[str]]", text: str) -> str:
    def pair(match: "Match[str]") -> str:
        kept = match["name"].lower() in _COOKIE_ATTRIBUTES
        return match[0] if kept else f"{match['name']}={MASK}cookie]"

    def header(match: "Match[str]") -> str:
        start = match.start("s") - match.start()
        return match[0][:start] + patterns["pair"].sub(pair, match["s"])

    return patterns["cookies"].sub(header, text)


def _card(match: "Match[str]") -> str:
    digits = match[0].replace(" ", "").replace("-", "")
    groups = match[0].replace("-", " ").split()
    grouped = len(groups) == 1 or [len(group) for group in groups[:-1]] in ([4, 4, 4], [4, 6], [4, 4, 4, 4])
    known = len(digits) in (14, 15, 16, 19) and digits.startswith(_CARD_PREFIXES)
    return f"{MASK}card-number]" if grouped and known and _luhn(digits) else match[0]


def _luhn(digits: str) -> bool:
    total = 0
    for index, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + index % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
