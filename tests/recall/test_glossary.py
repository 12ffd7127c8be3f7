"""What a text in another language is about, in English."""

import os

import pytest

from awhm_hooks.recall import glossary
from awhm_hooks.recall.glossary import english_terms, glosses, in_english, language_of, with_english

LANGUAGES = sorted(name.removesuffix(".txt") for name in os.listdir(glossary._DIRECTORY))


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("¿en qué puerto escucha la base de datos de staging?", "port listen database staging"),
        ("¿quién es el responsable de los despliegues?", "who owner deploy"),
        ("Auf welchem Port läuft die Rechnungsdatenbank?", "port run invoice database"),
        ("Wer ist für die Abhängigkeiten zuständig?", "who dependency owner"),
        ("数据库的端口是多少", "database port"),
        ("本番のデータベースはどのポートですか", "production database port"),
    ],
)
def test_the_words_of_a_prompt_in_english(text, english):
    assert in_english(text) == english
    assert with_english(text) == f"{text}\n{english}"


@pytest.mark.parametrize(
    "text", ["Which port does the staging database listen on?", "", "La Paz is a port", "한국어로 된 문장", "??? 42"]
)
def test_english_and_what_no_glossary_knows_stay_as_they_are(text):
    assert with_english(text) == text
    assert english_terms(text) == []


def test_a_word_marked_as_whole_does_not_begin_another():
    assert dict(glosses("la red de la oficina"))["red"] == ["network"]
    assert "redis" not in dict(glosses("el redis de la oficina"))


def test_each_meaning_is_a_term_to_be_found_by():
    assert english_terms("Die Rechnung ist für den Kunden") == ["invoic", "bill", "customer", "client"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("¿dónde está el fichero?", "es"),
        ("wo ist die Datei und wer hat sie?", "de"),
        ("文件在哪里", "zh"),
        ("ファイルはどこ", "ja"),
        ("파일이 어디", "ko"),
        ("où est le fichier", "fr"),
        ("where is the file", ""),
    ],
)
def test_the_language_of_a_text(text, language):
    assert language_of(text) == language


def test_a_long_text_is_read_at_its_beginning():
    assert in_english("数据库" + "，" * 1_000 + "端口") == "database"
    assert "port" not in in_english("la base de datos es " + "x " * 1_000 + "puerto").split()


@pytest.mark.parametrize("content", [None, b"port\tpuerto\t\xff\xfe"])
def test_a_glossary_that_cannot_be_read_is_none(monkeypatch, tmp_path, content):
    if content:
        (tmp_path / "es.txt").write_bytes(content)
    monkeypatch.setattr(glossary, "_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(glossary, "_read", {})
    assert glosses("¿en qué puerto escucha la base de datos?") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_glossaries_keep_their_form(language):
    """English words, then a tab before and behind each entry; none twice, no stem so short that it begins anything."""
    with open(f"{glossary._DIRECTORY}/{language}.txt", encoding="utf-8") as file:
        lines = file.read().splitlines()
    entries = [entry for line in lines for entry in line.split("\t")[1:-1]]
    assert len(entries) == len(set(entries)) > 400
    for line in lines:
        meanings, *own, rest = line.split("\t")
        assert rest == "" and own and all(entry and entry == entry.strip().lower() for entry in own), line
        assert meanings.isascii() and all(meaning for meaning in meanings.split(", ")), line


def test_four_languages_have_a_glossary():
    assert LANGUAGES == ["de", "es", "ja", "zh"]
