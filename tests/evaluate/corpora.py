"""Small corpora of each format, in the shapes that the real files have."""

from typing import Any

NATIVE: dict[str, Any] = {
    "sessions": [
        {
            "id": "s1",
            "messages": [
                {"role": "user", "content": "My preferred language is Python"},
                {"role": "assistant", "content": "Noted."},
            ],
        },
        {"id": "s2", "messages": [{"role": "user", "content": "Actually, my preferred language is Rust"}]},
    ],
    "questions": [
        {
            "id": "q1",
            "question": "What is my preferred language?",
            "expected": ["rust"],
            "forbidden": ["python"],
            "category": "update",
        },
        {"id": "q2", "question": "What colour is the sky?", "expected": ["blue"]},
    ],
}

LONGMEMEVAL: list[dict[str, Any]] = [
    {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Which harbour does the ferry to Skye leave from?",
        "answer": "Mallaig",
        "question_date": "2023/06/10 (Sat) 10:00",
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 08:00"],
        "haystack_session_ids": ["answer_1", "other_1"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "The ferry to Skye leaves from Mallaig harbour.", "has_answer": True},
                {"role": "assistant", "content": "Good to know for the trip.", "has_answer": False},
            ],
            [{"role": "user", "content": "My sourdough starter smells of pears.", "has_answer": False}],
        ],
        "answer_session_ids": ["answer_1"],
    },
    {
        "question_id": "q2_abs",
        "question_type": "single-session-user",
        "question": "Which harbour does the ferry to Arran leave from?",
        "answer": "You did not mention Arran.",
        "question_date": "2023/06/11 (Sun) 10:00",
        "haystack_dates": ["2023/05/22 (Mon) 09:00"],
        "haystack_session_ids": ["other_2"],
        "haystack_sessions": [[{"role": "user", "content": "Tomatoes want a warm windowsill.", "has_answer": False}]],
        "answer_session_ids": ["other_2"],
    },
]

POOL = {"q1": ["answer_1", "other_1", "other_2"]}

HEADS: dict[str, Any] = {
    "questions": [
        {
            "question_id": "q1",
            "question_type": "single-session-user",
            "question": "Which harbour does the ferry to Skye leave from?",
            "answer": "Mallaig",
            "question_date": "2023/06/10 (Sat) 10:00",
            "answer_session_ids": ["answer_1"],
            "haystack": [["other_1", "2023/05/20 (Sat) 02:21"], ["answer_1", "2023/05/21 (Sun) 03:51"]],
        }
    ],
    "sessions_user_text_head500": {
        "answer_1": "The ferry to Skye leaves from Mallaig harbour.",
        "other_1": "My sourdough starter smells of pears.",
    },
}

LOCOMO: list[dict[str, Any]] = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ana",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ana", "dia_id": "D1:1", "text": "I painted a lighthouse at sunrise."},
                {"speaker": "Ben", "dia_id": "D1:2", "text": "Lovely!", "blip_caption": "a photo of an orange kayak"},
            ],
            "session_2_date_time": "9:00 am on 9 June, 2023",
            "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "My sister adopted a greyhound."}],
        },
        "qa": [
            {"question": "What did Ana paint?", "answer": "a lighthouse", "evidence": ["D1:1"], "category": 4},
            {"question": "Which animals?", "answer": 1, "evidence": ["D1:1; D2:1", "D:9:9"], "category": 1},
            {"question": "Whose boat is it?", "evidence": [], "category": 5, "adversarial_answer": "Ana's"},
        ],
    }
]

DEVMEMBENCH: dict[str, Any] = {
    "sessions": [
        {
            "sessionId": "S01",
            "metadata": {"date": "2025-01-15", "project": "shop"},
            "messages": [
                {"role": "user", "content": "The shop runs on FastAPI with PostgreSQL."},
                {"role": "assistant", "content": "A solid stack."},
            ],
        },
        {
            "sessionId": "S02",
            "metadata": {"date": "2025-01-16", "project": "board"},
            "messages": [{"role": "user", "content": "The board draws its charts with Recharts."}],
        },
    ],
    "questions": [
        {
            "questionId": "Q01",
            "questionType": "tech-stack",
            "question": "What draws the charts?",
            "groundTruth": "Recharts",
            "haystackSessionIds": ["S02"],
        },
        {
            "questionId": "Q02",
            "questionType": "abstention",
            "question": "Zebra crossing?",
            "groundTruth": "Not mentioned.",
            "haystackSessionIds": [],
        },
    ],
}

RETRIEVAL: dict[str, Any] = {
    "k": 3,
    "clock": "2026-10-01T12:00:00.000Z",
    "memories": [
        {
            "id": "a",
            "scope": "work",
            "title": "Invoice drift",
            "text": "The detail is manifest_lines.consignee_ref.",
            "created_at": "2026-04-04T12:00:00.000Z",
        },
        {
            "id": "b",
            "scope": "personal",
            "title": "Invoice drift",
            "text": "The detail is partition_maps.window_opens.",
            "created_at": "2026-04-05T12:00:00.000Z",
        },
    ],
    "cases": [
        {
            "id": "c1",
            "query": "Invoice drift manifest_lines.consignee_ref",
            "scope": "work",
            "relevant_memory_ids": ["a"],
            "kind": "answerable",
        },
        {
            "id": "c2",
            "query": "flutter widget lifecycle",
            "scope": "work",
            "relevant_memory_ids": [],
            "expect_no_result": True,
            "kind": "adversarial",
        },
    ],
}

EXCHANGES: dict[str, Any] = {
    "memories": [
        {
            "id": "new",
            "document": "User: Which database do we use?\nAssistant: We finalised PostgreSQL as the database.",
            "metadata": {"timestamp": "2026-03-03T10:00:00", "status": "current", "memory_key": "infra.database"},
        },
        {
            "id": "old",
            "document": "User: Which database was proposed?\nAssistant: MySQL was proposed as the database.",
            "metadata": {"timestamp": "2026-01-01T10:00:00", "status": "superseded", "memory_key": "infra.database"},
        },
        {"id": "cache", "document": "User: Which database caches?\nAssistant: Redis is the cache database."},
    ],
    "cases": [
        {
            "id": "which",
            "category": "direct",
            "query": "Which database did we finalise?",
            "history": [{"role": "user", "content": "We spoke of storage."}],
            "relevant_memory_ids": ["new"],
            "forbidden_memory_ids": ["old", "cache"],
        }
    ],
}

ALL: dict[str, Any] = {
    "native": NATIVE,
    "longmemeval": LONGMEMEVAL,
    "locomo": LOCOMO,
    "devmembench": DEVMEMBENCH,
    "retrieval": RETRIEVAL,
}
