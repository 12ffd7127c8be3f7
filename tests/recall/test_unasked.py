"""What a prompt is told by words and meaning together, in process: the real model over a real store."""

import shutil
import time

import pytest
from in_process import PROJECT
from prepared_model import prepared

from awhm_hooks.graph.store import open_graph
from awhm_hooks.recall import engine, lexical
from awhm_hooks.recall.meaning import Meaning
from awhm_hooks.recall.request import Request
from awhm_hooks.recall.semantic import Semantic


@pytest.fixture
def memory(new_memory):
    found = new_memory(semantic=True)
    shutil.copytree(prepared().models, found.paths.models)
    return found


@pytest.fixture
def told(memory):
    def ask(text):
        request = Request(text, PROJECT, True, memory.at + 3600)
        request.meaning = Meaning(Semantic(memory.paths, time.monotonic() + 600))
        graph = open_graph(memory.paths.graph_db)
        try:
            return [one.text for one in engine.recall(graph, request, memory.paths, memory.config)]
        finally:
            request.meaning.close()
            graph.close()

    return ask


def known(memory, *texts):
    for number, text in enumerate(texts):
        memory.say(text, session=f"s{number}")
        memory.consolidate()


RETENTION = (
    "Two hours on the phone with the auditors. We have to keep the access logs of the patient viewer for 11 years."
    " Where did we stop yesterday?"
)


def test_a_message_that_also_asks_tells_what_it_says(memory, told):
    known(memory, RETENTION, "How long do we keep the access logs of the patient viewer?")
    assert told("how long must the access logs of the patient viewer be kept?") == [RETENTION]


RUNNER = (
    "man, 40 minutes again. All integration tests for the vitals pipeline go to that old CI runner pellworm. While we"
    " wait, could you explain the retry decorator?",
    "Good news: Jonah racked the new box, and the vitals integration tests go to Brambling now. Any ideas for the"
    " flaky teardown?",
    "on which CI runner do the vitals integration tests run?",
)
PYTHON = (
    "don't use that syntax, the telescope control machines are still on Python 3.10 and it would blow up there",
    "guess what, they reimaged the telescope control machines over the weekend. So we've got Python 3.13 on them at"
    " last.",
    "which Python version do the telescope control machines have?",
)
STANDUP = (
    "gotta be quick, our standup is at 09:15 and I have nothing to show. Can you make the red squiggles go away?",
    "They listened to those with kids, the standup got pushed back to 10:45, what a relief. So let's do that cleanup.",
    "what time is our standup?",
)


OWNER = (
    "The owner of the recommendations service is Owen Castellane.",
    "Mireille Dufort took over the recommendations service from Owen Castellane.",
    "who is the owner of the recommendations service?",
)
GATES = (
    "I was out to look at their hardware. The RFID gates there poll us every 45 seconds, which is a bit lazy. They"
    " were lovely, there was cake.",
    "We went back and forth with the vendor and in the end they gave in: the RFID gates ask us every 8 seconds, and the"
    " load is no problem. Please adapt the fake gate.",
    "what's the polling interval of the RFID gates?",
)
MAIL = (
    "Den Newsletter an die Leser verschicken wir über Mailjet.",
    "Der Newsletter an die Leser geht seit Montag nicht mehr über Mailjet, sondern über Rapidmail raus.",
    "Über welchen Dienst verschicken wir den Newsletter?",
)


LOGS = (
    "for the log output of the collector let's stick with logfmt please",
    "ok I've had it with parsing that stuff by hand, from here on the collector should log JSON lines instead",
    "which log format does the collector have?",
)
DRIVER = (
    "if you need anything merged in the inverter driver repo, Bartosz is the one to ask",
    "Bartosz left for the hardware team, so Ximena is looking after the inverter drivers now",
    "who do I ask to get something merged in the inverter driver repo?",
)


CONTACT = (
    "Some context before you write the mail: our contact at the ambulance dispatch centre is Rolf Emmerling. Nice man,"
    " but he takes a week to answer, so put everything into one message. It's about the missing arrival times.",
    "heh, the dispatch centre replied within ten minutes, that's a first. Turns out Rolf has retired and Saskia Oduya"
    " is the person we deal with there now. Could you shorten the second paragraph of my draft before I send it?",
    "draft a mail to our contact at the ambulance dispatch centre about Sunday's outage",
)
MEMORY = (
    "The STAR alignment process requests 36 GB of memory by default, which has served us well.",
    "The samples of the Oslo cohort finally went through last night, which is a great relief to everybody. I had to"
    " give STAR 52 GB for that, and I have left it so in base.config. Could you help me with the splice junctions?",
    "Please write the withName block for the STAR alignment process with our usual memory request.",
)
ENTRIES = (
    "The list with the maintenance history feels off to me. We show 25 entries per page there, mostly because the old"
    " tablets were so slow. Can you find out why the last page comes back empty when there's only one row left?",
    "I showed the maintenance history to Ingrid's crew today and they hated all the tapping. Speed isn't an issue any"
    " more with the new tablets anyway. Let's go up to 60 entries per page. And the scrollbar is really hard to hit.",
    "how many rows do we show on one page of the maintenance history?",
)
WISH = (
    "Adapters should be trimmed with Trim Galore in everything that we publish, if you please.",
    "I would actually prefer fastp for trimming the adapters instead of what we had been using.",
    "Would you kindly add an adapter trimming process to the new amplicon workflow?",
)
STATE = (
    "state management is redux toolkit",
    "we dropped redux toolkit in favour of zustand",
    "What do we use for state management in the frontend?",
)
STRINGS = (
    "translations are managed in Crowdin",
    "said goodbye to Crowdin on Monday. Weblate, self-hosted, same project names",
    "Where do translators edit the strings?",
)


TOKEN = (
    "I spent an hour wondering why sessions vanish and then remembered that the login token only lives 20 minutes, so"
    " please show a warning before it runs out",
    "the login token lives 35 minutes now, the nurses kept getting kicked out mid shift",
    "set the session expiry warning to show two minutes before the login token runs out",
)
BUNDLER = (
    "we use tsup to bundle the CLI, one config per package",
    "we dropped tsup in favour of rolldown, builds went from 11 seconds to 2",
    "turn on source maps in the bundler config of the cli package",
)
POOL = (
    "the import from Libsyn timed out again so I raised the pool size to 18 in runtime.exs and then it went through,"
    " can you clean up the logging there",
    "turns out the ecto pool was still too small on monday, it's 32 in runtime.exs now",
    "what is our ecto pool size in prod?",
)
LANGUAGE = (
    "decidimos que el idioma por defecto de la interfaz es el inglés",
    "a partir de hoy el idioma por defecto de la interfaz es el catalán, lo pidió el cliente",
    "¿qué idioma por defecto pongo en la interfaz para usuarios nuevos?",
)
PICTURES = (
    "Pictures of rejected fruit are kept for 30 days and then deleted.",
    "the pictures of rejected fruit stay on disk for 90 days, legal wants to be able to answer complaints",
    "write the cleanup cron job for the rejected fruit pictures",
)
TOOLCHAIN = (
    "pin the toolchain to 1.82 in rust-toolchain.toml and let's see if the linker error goes away",
    "bumped the toolchain to 1.85 this morning for edition 2024, so why does clippy complain about the extern block?",
    "which version of the toolchain does the CI image need?",
)
TRUNK = (
    "branch off develop as usual and fix the typo in the no-show fee text",
    "branch off trunk would you, develop got closed on friday and we start everything from there",
    "start a branch for the group booking discount",
)
MUSEUM = (
    "don't ring me in the middle of it with questions, mondays are for the Bremer museum, all day",
    "so the museum wants me on wednesdays from now on, can you shift the block in my calendar.ics",
    "which day of the week is blocked for the Bremer museum?",
)
LOCKFILE = (
    "this is the third time npm messed up the lockfile of the florist site, but ok, npm ci it is",
    "why is there a package-lock in the florist repo again?? pnpm, since last week, delete that thing",
    "add vue-router to the florist site",
)


@pytest.mark.parametrize(
    ("before", "now", "question"),
    [
        *(TOOLCHAIN, TRUNK, MUSEUM, LOCKFILE),
        *(RUNNER, PYTHON, STANDUP, OWNER, GATES, MAIL, LOGS, DRIVER),
        *(CONTACT, MEMORY, ENTRIES, WISH, STATE, STRINGS, TOKEN, BUNDLER, POOL, LANGUAGE, PICTURES),
    ],
)
def test_a_change_told_among_other_things_replaces_what_was_told_among_others(memory, told, before, now, question):
    known(memory, before, now)
    lines = told(question)
    assert any(now in line or line in now for line in lines)
    assert not any(line in before for line in lines), "it is gone, or what may have changed it is told behind it"


@pytest.mark.parametrize(
    ("fact", "news", "question"),
    [
        (
            "Klaus maintains the helm charts",
            "the helm charts got a values schema now",
            "who maintains the helm charts?",
        ),
        (
            "The staging database lives on db-stage-07.internal, port 6432.",
            "the backups of the staging database now run at 3 in the morning",
            "Which host is the staging database on?",
        ),
        (
            "The timeout of the billing client is 30s.",
            "The retry delay of the billing client is 5s.",
            "what is the timeout of the billing client?",
        ),
        ("Our standup is at 09:15.", "Our retro is at 14:00.", "what time is our standup?"),
        ("The API timeout is 30 seconds.", "The websocket timeout is now 60 seconds.", "what is the API timeout?"),
        ("Backups are kept for 30 days.", "Audit logs are kept for 90 days now.", "how long are backups kept?"),
        (
            "Production runs Postgres 14.",
            "I upgraded the staging database to Postgres 16 today.",
            "which Postgres version does production run?",
        ),
        (
            "Das Grafana läuft auf Port 3300.",
            "Grafana ist auf den Host mon-02 umgezogen. Der Port ist derselbe wie vorher.",
            "Auf welchem Port läuft Grafana?",
        ),
        (
            "拡張機能のアイコンは紗季さんがデザインしてくれました。変更するときは必ず紗季さんに確認を取ってください。",
            "拡張機能の翻訳ファイルの管理はWeblateに移行しました。",
            "拡張機能のアイコンを少し変えたいのですが、誰に聞けばいいですか？",
        ),
        (
            "Our contact at the dispatch centre is Rolf Emmerling.",
            "Rolf from the dispatch centre left a message about the outage, could you draft an answer?",
            "who is our contact at the dispatch centre?",
        ),
        (
            "Klaus maintains the helm charts",
            "It's fine, the helm charts got a values schema now",
            "who maintains the helm charts?",
        ),
        (
            "Klaus maintains the helm charts of the shop.",
            "The helm charts of the shop need labels. Maybe the owner could be changed.",
            "who maintains the helm charts of the shop?",
        ),
        (
            "the log collector writes logfmt",
            "maybe the log collector should write JSON instead",
            "what does the log collector write?",
        ),
    ],
)
def test_other_news_of_the_same_thing_and_what_is_only_considered_hide_nothing(memory, told, fact, news, question):
    known(memory, fact, news)
    assert any(line.rstrip(".") in fact for line in told(question))


def test_other_news_in_another_script_replace_nothing(memory, told):
    known(
        memory,
        "挂号模块由赵砚秋负责,改接口之前要先跟她说一声。",
        "药品库存同步的频率改了,现在是每 40 分钟跑一次,之前太频繁。",
    )
    assert any("赵砚秋" in line for line in told("我要改挂号模块的接口,应该先找谁?"))


def test_an_unwanted_name_never_takes_the_place_of_the_wanted_one(memory, told):
    known(
        memory,
        "The hotel for the Kyoto trip is the Granvia.",
        "The hotel for the Tokyo trip changed, it is the Keio Plaza now.",
    )
    lines = told("which hotel did we book for Kyoto, not Tokyo?")
    assert any("Granvia" in line for line in lines)
    assert not any("Keio" in line for line in lines)


@pytest.mark.parametrize("sign", ["", " 🚀"])
def test_a_sign_in_a_prompt_makes_it_no_other_language(memory, told, sign):
    known(memory, "We deploy on Tuesdays only.")
    assert told(f"when do we ship releases?{sign}")


@pytest.mark.parametrize(
    "prompt",
    [
        "¿cómo invierto una lista enlazada sin recursión?",
        "用 Rust 写一个快速排序,要带泛型",
        "フィボナッチ数列を再帰なしで計算するHaskellの関数を書いてください",
        "Good morning! How are you today?",
        "你好,在吗?",
    ],
)
def test_the_same_language_is_no_evidence(memory, told, prompt):
    known(
        memory,
        "Los informes semanales se generan los lunes a las 04:20 y se envían a la jefatura.",
        "药品库存同步每 15 分钟跑一次。",
        "コードのコメントは日本語、変数名は英語のスネークケースで統一しています。",
        "I love my morning cup of coffee.",
    )
    assert told(prompt) == []


def test_what_leads_by_words_and_by_meaning_is_told_to_a_prompt_that_wants_work(memory, told):
    rule = "In pipeline code please use loguru for logging, I don't want to see the standard logging module there."
    known(memory, rule, "The nightly reduction kicks off at 09:40 UTC.", "The cutout endpoint rejects wide images.")
    lines = told("add some logging to the hot pixel step in the pipeline code, at least one line per frame")
    assert lines and all(line.rstrip(".") in rule for line in lines)


def test_a_name_in_a_prompt_hides_nothing_that_is_to_the_point(memory, told):
    where = "The translations for the visitor portal are in /opt/portal/lang-packs."
    known(memory, where, "I will speak in Polish. You can speak English.")
    assert any(
        line.rstrip(".") in where for line in told("add a Polish translation to the visitor portal, where are they?")
    )


def test_what_the_user_said_is_told_and_not_the_short_reply_to_it(memory, told):
    rule = (
        "It would be kind of you to report every effect size with its 95 % confidence interval next to the p-value, as"
        " I have promised our statistician that a bare p-value will never leave this group again."
    )
    memory.say(rule, session="a")
    memory.say("Gladly, I have added the two columns to the association output.", session="a", role="assistant")
    memory.consolidate()
    asked = "Please lay out the supplementary table of association results, with the statistics that we insist on."
    assert told(asked) == [rule]


OWNED = (
    "add a retry to apps/sync/src/pull.ts, 3 tries w/ jitter. btw marisol owns anything under apps/sync so she has to"
    " be on the PR"
)
PAID = (
    "implement idempotency for POST /orders/pay in the py api. key = kiosk_id + cart_hash, NOT the order id, that"
    " doesnt exist yet at that pt. add a test for the double tap case"
)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        (OWNED, "add a CODEOWNERS line for apps/sync"),
        (PAID, "orders/pay の冪等性キーを作る関数を書いて。何を組み合わせるんだっけ"),
    ],
)
def test_a_path_names_one_thing_in_any_language(memory, told, said, asked):
    known(memory, said, "write the helm values for the websocket gateway", "the menu import is slow on big menus")
    assert any(line in said for line in told(asked))


@pytest.mark.parametrize("asked", ["write w/o tests", "a plus/minus button", "用 try/except 写一个函数"])
def test_a_slash_alone_names_nothing(memory, told, asked):
    known(memory, OWNED, PAID)
    assert told(asked) == []


def test_what_replaced_something_and_was_replaced_itself_is_not_told(memory, told):
    known(
        memory,
        "the demo for the customers runs on egret-demo",
        "the demo for the customers moved to heron-2",
        "heron-2 is gone since Monday, plover-3 has it now",
    )
    lines = told("which machine is the demo for the customers on?")
    assert not any("egret" in line or line.endswith("to heron-2") for line in lines)
    assert any("plover-3" in line for line in lines)


ABOUT_OTHERS = (
    "the invoices are rendered with Typst",
    "Okta is our identity provider",
    "we deploy on Tuesdays only",
    "the importer reads the files in batches of 200",
    "Marisol owns the sync code",
    "local Postgres listens on 5439",
    "the dashboards are in the Ledgerworks folder",
    "never log the bank details",
    "dates are stored in UTC",
    "the nightly export goes to coldstore-2",
    "we write the docs with Sphinx",
    "the rounding is always in the employee's favour",
)
FLAGS = "for feature flags it's Unleash, and a flag older than 45 days fails the build. so put an expiry on the new one"


def test_what_leads_among_many_is_told_on_the_balance_of_the_evidence(memory, told):
    known(memory, *ABOUT_OTHERS, FLAGS)
    assert told("put the new geofencing stuff behind a feature flag") == [FLAGS]
    assert told("can you convert this snippet from promises to async/await?") == []
    assert told("is a vector or a linked list faster for iteration, and why?") == []


CHATTER = [
    f"{what} {thing}, please."
    for what in ("Sort the imports of", "Print the length of", "Explain the loop in", "Shorten the names in")
    for thing in ("the parser", "the gallery page", "the mail module")
]


@pytest.mark.parametrize(
    ("fact", "question"),
    [
        ("The staging database listens on port 5433.", "¿en qué puerto escucha la base de datos de staging?"),
        ("Invoices are rounded to five cents per line.", "wie wird auf der Rechnung gerundet?"),
        (
            "Releases are frozen every Thursday, no deploys after that.",
            "an welchem Tag dürfen wir nicht mehr ausrollen?",
        ),
        ("The backups are kept for 45 days.", "バックアップの保持期間は何日ですか"),
        ("Die Datenbank der Rechnungen läuft auf Port 6001.", "which port does the invoice database run on?"),
    ],
)
def test_what_was_said_in_one_language_is_told_in_another(memory, told, fact, question):
    known(memory, *CHATTER, fact)
    assert any(line.rstrip(".") in fact for line in told(question))


def test_a_change_told_in_another_language_supersedes(memory, told):
    news = "Ab jetzt ist Oihana für die Rechnungen zuständig, nicht mehr Lieselotte."
    known(memory, *CHATTER, "Lieselotte owns the invoice service.", news)
    assert told("who owns the invoice service?")[0] == news


def test_a_correction_is_found_by_the_words_of_what_it_corrects(memory, told):
    news = "correction: presence TTL is 120 seconds, I was reading an outdated config"
    known(memory, *CHATTER, "Redis holds the player presence. TTL is 90 seconds, so heartbeat well under that.", news)
    assert told("how long until a player is shown as offline when his heartbeats stop?")[0] == news


def test_among_few_memories_a_question_that_asks_back_needs_little(memory, told):
    known(memory, *CHATTER, "We use pnpm, not npm.")
    assert "We use pnpm, not npm" in told("which package manager do we use?")
    assert told("write a haiku about the sea") == []


def test_what_holds_a_rare_word_of_the_prompt_is_weighed_whatever_shares_more_of_its_everyday_ones(memory):
    standup = "our standup is at 10:30, the folks in Lisbon couldn't make the early one"
    known(memory, standup, *[f"set up script {n} so that it posts a reminder within five minutes" for n in range(60)])
    question = "when is standup? set up a reminder script that posts five minutes before"
    request = Request(question, PROJECT, True, memory.at + 3600)
    graph = open_graph(memory.paths.graph_db)
    result = lexical.search(graph, graph.scope_ids(PROJECT), request.terms)
    assert standup in {one.text for one in engine._candidates(graph, result, request)}


def test_what_is_to_change_on_a_day_still_to_come_is_told_before(memory, told):
    known(memory, "quick one please, standup is at 9:15 and I want to show this chart there")
    known(memory, "our standup is at 10:30 from next week, the folks in Lisbon couldn't make the early one")
    assert any("10:30 from next week" in line for line in told("when is standup?"))


def test_a_question_typed_again_and_again_does_not_hide_its_answer(memory, told):
    question = "Which port does staging use?"
    known(
        memory, "The staging port is 8443.", question, f"{question} Again.", question, f"{question} Once more please."
    )
    assert told(question) == ["The staging port is 8443"]
