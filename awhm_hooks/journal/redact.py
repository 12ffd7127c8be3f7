"""What must never reach the disk is taken out of a text here, before its first byte is written.

`clean` is the one door: prompts, replies and transcript text all pass it. It removes what our own hook injected (else
memories breed), private spans, what the harness wraps around a prompt, and secrets. A text that holds none of these
comes back unchanged after some substring tests, and no pattern is loaded for it.
"""

from awhm_hooks.journal import noise
from awhm_hooks.journal.noise import INJECTION_HEADER, INJECTION_TAG
from awhm_hooks.journal.typed import is_command, is_control, is_machine_prompt

__all__ = ["INJECTION_HEADER", "INJECTION_TAG", "KEPT_CHARS", "clean", "is_command", "is_control", "is_machine_prompt"]

KEPT_CHARS = 100_000

_MARK_CHARS = 100
_BOUNDARY_CHARS = 4_000
LONG_WORD_CHARS = 24
CARD_DIGITS = 14
_SETTLING_PASSES = 6

# Substrings of the lower-cased text: a secret that secrets.py knows by its form has one of them, or it is a long word
# or a card's number.
FORM_HINTS = (
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "glptt-",
    "gldt-",
    "glrt",
    "glcbt-",
    "gloas-",
    "glft-",
    "glsoat-",
    "glagent-",
    "glimt-",
    "akia",
    "asia",
    "abia",
    "acca",
    "sk-",
    "sk_",
    "rk_",
    "xox",
    "xapp-",
    "whsec_",
    "aiza",
    "ya29.",
    "gocspx-",
    "1//0",
    "npm_",
    "pypi-",
    "hf_",
    "eyj",
    "begin ",
    "age-secret-key",
    "putty-user-key",
    "://",
    "authorization",
    "bearer ",
    "cookie",
    "mysql",
    "mariadb",
    "sshpass",
    "curl",
    "wget",
    "docker login",
    "redis-cli",
    "credential",
    "creds",
    "login",
    "basic auth",
    "identified",
    "discord",
    "hooks.slack",
    "sig=",
    "signature=",
    "jdbc:",
)
# What names a secret; then something has to stand between the name and the secret, or the secret has a digit.
NAME_HINTS = (
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "auth",
    "cred",
    "pin",
    "pw",
    "phrase",
    "mnemonic",
    "kennwort",
    "contrase",
    "clave",
    "senha",
    "密码",
    "密碼",
    "パスワード",
    "пароль",
)
# Forms with a naming word in them.
NAMED_FORM_HINTS = ("</", "value", "aws", "stdin", "('", '("', "['", '["')
_LINKS = (
    "=",
    ":",
    "</",
    "：",
    " is ",
    " was ",
    " es ",
    " ist ",
    " lautet",
    " est ",
    " é ",
    " è ",
    " to ",
    "--",
    "是",
    "为",
    "は",
    "'",
    '"',
    "`",
)


def clean(text: str) -> str:
    """The text as it may be stored. `clean(clean(text)) == clean(text)`; nothing is raised on any string."""
    text = noise.plain(text)
    for attempt in range(2 * _SETTLING_PASSES):
        # What is removed can bring the ends of a code span together; a text that does not settle is read without code.
        cleaned = _clean_once(text, heed_code=attempt < _SETTLING_PASSES)
        if cleaned == text:
            break
        text = cleaned
    return text


def _clean_once(text: str, heed_code: bool) -> str:
    text = noise.without_injection(text)
    if "<" in text:
        text = noise.without_private(text, heed_code)
        text = noise.without_wrappers(text, heed_code)
    text = noise.without_hook_context(text)
    if "BEGIN " in text or "PuTTY-User-Key" in text:
        # Before the cut: half a key must not be left without the line that tells what it is.
        from awhm_hooks.journal import secrets

        text = secrets.without_key_blocks(text)
    return _without_secrets(_head_and_tail(text))


def _without_secrets(text: str) -> str:
    lower = text.lower()
    digits = digit_count(text)
    named = any(map(lower.__contains__, NAME_HINTS)) and (digits > 0 or any(map(lower.__contains__, _LINKS)))
    if _may_hold_form(text, lower, digits) or (named and any(map(lower.__contains__, NAMED_FORM_HINTS))):
        from awhm_hooks.journal import secrets

        text = secrets.redact(text)
    if named:
        from awhm_hooks.journal import named_secrets

        text = named_secrets.redact(text)
    return text


def _may_hold_form(text: str, lower: str, digits: int) -> bool:
    if digits >= CARD_DIGITS or any(map(lower.__contains__, FORM_HINTS)):
        return True
    return digits > 0 and len(max(text.split(), key=len, default="")) >= LONG_WORD_CHARS


def digit_count(text: str) -> int:
    return sum(map(text.count, "0123456789"))


def _head_and_tail(text: str) -> str:
    if len(text) <= 2 * KEPT_CHARS + _MARK_CHARS:
        return text
    head = text[: _boundary(text, KEPT_CHARS - _BOUNDARY_CHARS, KEPT_CHARS, last=True)].rstrip()
    tail_start = len(text) - KEPT_CHARS
    tail = text[_boundary(text, tail_start, tail_start + _BOUNDARY_CHARS, last=False) :].lstrip()
    left_out = len(text) - len(head) - len(tail)
    return f"{head}\n[… {left_out} characters left out …]\n{tail}".strip()


def _boundary(text: str, start: int, end: int, last: bool) -> int:
    """A line's end between the two, else a blank, else the outer limit: half a secret would not be known for one."""
    seek = text.rfind if last else text.find
    for sign in ("\n", " ", "\t"):
        found = seek(sign, start, end)
        if found >= 0:
            return found
    return end if last else start
