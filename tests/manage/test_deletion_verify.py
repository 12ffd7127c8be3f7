import json
import os

import pytest

from awhm_hooks.manage import deletion_verify
from awhm_hooks.manage.deletion_verify import Needle
from awhm_hooks.paths import Paths

TEXT = "Der Kunde ist Müller & Söhne"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.upper().encode(),
        TEXT.lower().encode(),
        TEXT.encode("utf-16-le"),
        b"\x00" + TEXT.encode("utf-16-be"),
        json.dumps(TEXT).encode(),
        json.dumps(TEXT).replace("\\u00fc", "\\u00FC").encode(),
        TEXT.replace(" ", "\n").encode(),
        json.dumps(TEXT.replace(" ", "\n")).encode(),
        "Mu\u0308ller & So\u0308hne".join(("Der Kunde ist ", "")).encode(),
        b"\xff\xfe junk " + TEXT.encode() + b" junk",
    ],
    ids=str,
)
def test_a_text_is_found_in_every_form(data):
    assert Needle(TEXT).is_in(data)
    assert not Needle(TEXT + "!").is_in(data)


@pytest.mark.parametrize(
    ("data", "is_in"),
    [
        (b"the pin is 4471.", False),
        (b"the pin is 4471 ", True),
        (b'"at":1796044710.123', False),
        (b"9f4471ab", False),
        (b"4471", True),
        (b"port=4471,", True),
    ],
)
def test_digits_inside_of_a_longer_number_say_nothing(data, is_in):
    assert Needle("4471").is_in(data) == is_in


def scan(directory, *texts):
    return deletion_verify.scan(Paths(str(directory)), list(texts))


def test_every_file_is_read_and_every_place_told(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one").write_bytes(b"xx northwind yy NORTHWIND")
    (tmp_path / "two").write_bytes(b"nothing")
    (tmp_path / "northwind.txt").write_bytes(b"")
    scanned = scan(tmp_path, "Northwind")
    assert scanned.files == 3 and scanned.bytes == 32
    assert [(finding.path, finding.offset) for finding in scanned.real()] == [
        ("northwind.txt", 0),
        (os.path.join("a", "one"), 3),
        (os.path.join("a", "one"), 16),
    ]


def test_what_lies_across_two_pieces_of_a_large_file_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(deletion_verify, "_READ_BYTES", 100)
    monkeypatch.setattr(deletion_verify, "_OVERLAP_BYTES", 30)
    data = bytearray(b"." * 1000)
    for at in (95, 420, 688):
        data[at : at + 9] = b"northwind"
    (tmp_path / "large").write_bytes(data)
    assert sorted({finding.offset for finding in scan(tmp_path, "northwind").real()}) == [95, 420, 688]


def test_the_model_s_vocabulary_is_not_counted(tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "vocab.txt").write_bytes(b"giraffe\n")
    scanned = scan(tmp_path, "giraffe")
    assert scanned.real() == [] and scanned.findings[0].harmless


def test_a_store_is_read_as_a_store_too(memory):
    long = "word " * 800 + "the hidden needle stands here " + "word " * 2000
    memory.say(long)
    memory.consolidate()
    scanned = deletion_verify.scan(memory.paths, ["the hidden needle stands here"])
    assert {os.path.basename(finding.path) for finding in scanned.real()} >= {"memory_graph.sqlite"}


def test_postings_of_nobody_are_found(memory):
    from awhm_hooks.graph.writer import open_writer

    memory.say("The client is Northwind")
    memory.consolidate()
    writer = open_writer(memory.paths)
    writer.db.execute("DELETE FROM nodes")
    writer.db.execute("VACUUM")
    writer.db.close()
    os.unlink(memory.paths.log_file("s"))
    forms = {finding.form for finding in deletion_verify.scan(memory.paths, ["client of northwind"]).real()}
    assert forms == {"postings.term"}
