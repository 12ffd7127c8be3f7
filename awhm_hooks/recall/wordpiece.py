"""BERT's uncased tokeniser, with the ids of the `tokenizers` library, from a sorted vocabulary that is never parsed.

Loading tokenizer.json costs 20 ms; reading this file and looking up a prompt's words costs 0.3.
"""

CLS, SEP, UNK = 101, 102, 100
MAX_TOKENS = 256
MAX_WORD_CHARS = 100
STRETCH_CHARS = 2000
MAGIC = b"AWHMVOC1"
SPECIAL = {"[PAD]": 0, "[UNK]": UNK, "[CLS]": CLS, "[SEP]": SEP, "[MASK]": 103}


class Vocabulary:
    """Tokens grouped by kind (word start or continuation) and length in bytes, sorted: a binary search in fixed steps.

    File: MAGIC, u8 longest length, then for both kinds and each length from 1 a (u32 offset, u32 count), little-endian;
    a group is its tokens, joined, then their ids as u16.
    """

    __slots__ = ("_data", "_groups", "longest")

    def __init__(self, data: bytes) -> None:
        """`data` is the whole file. Raises ValueError where it is not one of ours."""
        if data[:8] != MAGIC or len(data) < 9:
            raise ValueError("not a prepared vocabulary")
        self.longest = longest = data[8]
        if len(data) < 9 + 16 * longest:
            raise ValueError("the prepared vocabulary is cut short")
        self._data = data
        self._groups = []
        for at in range(9, 9 + 16 * longest, 8):
            offset, count = int.from_bytes(data[at : at + 4], "little"), int.from_bytes(data[at + 4 : at + 8], "little")
            size = (at - 9) // 8 % longest + 1
            if offset + count * (size + 2) > len(data):
                raise ValueError("the prepared vocabulary is cut short")
            self._groups.append((offset, count))

    def find(self, token: bytes, continues: bool) -> int:
        """The id of a token (UTF-8, without the leading ##), or -1."""
        size = len(token)
        if not 0 < size <= self.longest:
            return -1
        offset, count = self._groups[size - 1 + (self.longest if continues else 0)]
        data, low, high = self._data, 0, count
        while low < high:
            middle = (low + high) // 2
            at = offset + middle * size
            found = data[at : at + size]
            if found < token:
                low = middle + 1
            elif found == token:
                at = offset + count * size + middle * 2
                return data[at] | data[at + 1] << 8
            else:
                high = middle
        return -1


def build(tokens: list[str]) -> bytes:
    """The file for a vocabulary in the order of its ids."""
    groups: list[list[tuple[bytes, int]]] = []
    encoded = [(token.startswith("##") and len(token) > 2, token, index) for index, token in enumerate(tokens)]
    longest = max(len(token.encode()) for _, token, _ in encoded)
    for kind in (False, True):
        named = [(token[2:] if kind else token, index) for continues, token, index in encoded if continues is kind]
        for size in range(1, longest + 1):
            groups.append(sorted((t.encode(), i) for t, i in named if len(t.encode()) == size))
    at = 9 + 8 * len(groups)
    head, body = [MAGIC, bytes([longest])], []
    for group in groups:
        blob = b"".join(t for t, _ in group) + b"".join(i.to_bytes(2, "little") for _, i in group)
        head.append(at.to_bytes(4, "little") + len(group).to_bytes(4, "little"))
        body.append(blob)
        at += len(blob)
    return b"".join(head + body)


def encode(text: str, vocabulary: Vocabulary, max_tokens: int = MAX_TOKENS) -> list[int]:
    """[CLS], the text's ids, [SEP]; the text's are cut so that all fit in `max_tokens`."""
    room = max_tokens - 2
    ids: list[int] = []
    at = 0
    while at < len(text) and len(ids) < room:
        end = _stretch_end(text, at)
        _append(text[at:end], vocabulary, ids, room)
        at = end
    return [CLS, *ids[:room], SEP]


def _stretch_end(text: str, at: int) -> int:
    """Where some thousand characters end in white space: a pasted file isn't normalised whole for 254 tokens."""
    near = at + STRETCH_CHARS
    ends = [found for found in (text.find(" ", near), text.find("\n", near)) if found >= 0]
    return min(ends) if ends else len(text)


def _append(text: str, vocabulary: Vocabulary, ids: list[int], room: int) -> None:
    for part in _specials_apart(text):
        if part in SPECIAL:
            ids.append(SPECIAL[part])
            continue
        for word in words(part):
            if len(ids) >= room:
                return
            _pieces(word, vocabulary, ids)


def _specials_apart(text: str) -> list[str]:
    """The library takes special tokens out of the raw text before it normalises anything."""
    if "[" not in text:
        return [text]
    parts = [text]
    for special in SPECIAL:
        if special in text:
            split: list[str] = []
            for part in parts:
                if part in SPECIAL:
                    split.append(part)
                    continue
                first, *rest = part.split(special)
                split.append(first)
                for piece in rest:
                    split += [special, piece]
            parts = split
    return parts


def words(text: str) -> list[str]:
    """Normalised words and single punctuation marks and ideographs, in order."""
    return text.translate(_table()).split(" ")


def _pieces(word: str, vocabulary: Vocabulary, ids: list[int]) -> None:
    """Append the greedy longest-match pieces of one word, or [UNK] where any part has none."""
    if not word:
        return
    if len(word) > MAX_WORD_CHARS:
        ids.append(UNK)
        return
    kept = len(ids)
    longest, start, end = vocabulary.longest, 0, len(word)
    while start < end:
        stop = min(end, start + longest)
        while stop > start:
            found = vocabulary.find(word[start:stop].encode(), start > 0)
            if found >= 0:
                break
            stop -= 1
        else:
            del ids[kept:]
            ids.append(UNK)
            return
        ids.append(found)
        start = stop


class _Table(dict[int, str]):
    """What becomes of each character, worked out when it is first met."""

    __slots__ = ()

    def __missing__(self, code: int) -> str:
        self[code] = made = _normalised(code)
        return made


_memo: list[_Table] = []


def _table() -> _Table:
    if not _memo:
        _memo.append(_Table())
    return _memo[0]


def _normalised(code: int) -> str:
    """One character cleaned, set apart if it is an ideograph or punctuation, without accents, in lower case."""
    char = chr(code)
    if code < 128:
        if code in (9, 10, 13):
            return " "
        return "" if code < 32 or code == 127 else _ascii(char)
    import unicodedata

    kind = unicodedata.category(char)
    if code == 0xFFFD or (kind in ("Cc", "Cf", "Co", "Cs") and not _is_newer(code)):
        return ""
    if char.isspace():
        return " "
    out = ""
    for part in unicodedata.normalize("NFD", char):
        out += _part(part, unicodedata.category(part))
    return f" {out} " if _is_ideograph(code) else out


def _ascii(char: str) -> str:
    return char.lower() if char.isalnum() or char == " " else f" {char} "


def _part(char: str, kind: str) -> str:
    code = ord(char)
    if code < 128:
        return _ascii(char)
    if (kind == "Mn" and not _is_newer(code)) or code in _ONCE_MARKS:
        return ""
    if (kind[0] == "P" and not _is_newer(code)) or code in _ONCE_PUNCTUATION:
        return f" {char} "
    return char.lower()


# The library's tables are those of Unicode 8: what later versions call a mark, punctuation or a format character is an
# ordinary character to it, and three characters are still of the kind that they had then.
_NEWER = (
    "61d 7fd 890-891 898-89f 8ca-8e2 9fd-9fe a76 afa-aff b55 c04 c3c c77 c84 d00 d3b-d3c d81 eba ece 180f "
    "1885-1886 1abf-1ace 1b7d-1b7e 1df6-1dfb 2e43-2e4f 2e52-2e5d a82c a8c5 a8ff a9bd 10d24-10d27 10eab-10ead "
    "10efd-10eff 10f46-10f50 10f55-10f59 10f82-10f89 11070 11073-11074 110c2 110cd 111c9 111cf 1123e 11241 1133b "
    "11438-1143f 11442-11444 11446 1144b-1144f 1145a-1145b 1145d-1145e 11660-1166c 116b9 1182f-11837 11839-1183b "
    "1193b-1193c 1193e 11943-11946 119d4-119d7 119da-119db 119e0 119e2 11a01-11a0a 11a33-11a38 11a3b-11a47 "
    "11a51-11a56 11a59-11a5b 11a8a-11a96 11a98-11a9c 11a9e-11aa2 11b00-11b09 11c30-11c36 11c38-11c3d 11c3f "
    "11c41-11c45 11c70-11c71 11c92-11ca7 11caa-11cb0 11cb2-11cb3 11cb5-11cb6 11d31-11d36 11d3a 11d3c-11d3d "
    "11d3f-11d45 11d47 11d90-11d91 11d95 11d97 11ef3-11ef4 11ef7-11ef8 11f00-11f01 11f36-11f3a 11f40 11f42-11f4f "
    "11fff 12ff1-12ff2 13430-13440 13447-13455 16e97-16e9a 16f4f 16fe2 16fe4 1cf00-1cf2d 1cf30-1cf46 1e000-1e006 "
    "1e008-1e018 1e01b-1e021 1e023-1e024 1e026-1e02a 1e08f 1e130-1e136 1e2ae 1e2ec-1e2ef 1e4ec-1e4ef 1e944-1e94a "
    "1e95e-1e95f "
)
_ONCE_MARKS = (0x1734,)
_ONCE_PUNCTUATION = (0x166D, 0x111C9)
_newer: list[tuple[int, int]] = []


def _is_newer(code: int) -> bool:
    if not _newer:
        for entry in _NEWER.split():
            low, _, high = entry.partition("-")
            _newer.append((int(low, 16), int(high or low, 16)))
    return any(low <= code <= high for low, high in _newer)


def _is_ideograph(code: int) -> bool:
    return (
        0x4E00 <= code <= 0x9FFF
        or 0x3400 <= code <= 0x4DBF
        or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x2A6DF
        or 0x2A700 <= code <= 0x2B73F
        or 0x2B740 <= code <= 0x2B81F
        or 0x2B920 <= code <= 0x2CEAF
        or 0x2F800 <= code <= 0x2FA1F
    )
