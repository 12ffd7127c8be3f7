"""The schema, as an ordered, append-only list of steps; each is recorded in the transaction that makes it."""

SCHEMA = 4

_STEP_1 = """
CREATE TABLE scopes (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,              -- 'user', or the project's directory
    docs INTEGER NOT NULL DEFAULT 0,       -- documents in the index
    terms INTEGER NOT NULL DEFAULT 0       -- their terms, for the mean length in BM25
);
INSERT INTO scopes (id, key) VALUES (1, 'user');
CREATE TABLE nodes (
    id INTEGER PRIMARY KEY,                -- document number in the postings, row order of the vectors
    uid TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,                    -- episodic, semantic, procedural
    family TEXT NOT NULL,                  -- message, entity, fact, preference, policy, outcome
    text TEXT NOT NULL,
    role TEXT NOT NULL DEFAULT '',         -- of a message: user or assistant
    label TEXT NOT NULL DEFAULT '',        -- of an entity: its NER label
    canonical_key TEXT,
    statement_key TEXT,                    -- the normalised statement, by which repetitions are found
    status TEXT NOT NULL DEFAULT 'active', -- active, superseded, retracted
    confidence REAL NOT NULL DEFAULT 1.0,
    scope INTEGER NOT NULL REFERENCES scopes (id),
    project TEXT NOT NULL DEFAULT '',
    session TEXT NOT NULL DEFAULT '',
    message TEXT NOT NULL DEFAULT '',      -- id of the message it was first said in
    said_at REAL NOT NULL,                 -- epoch seconds, as all times here
    created_at REAL NOT NULL,
    valid_from REAL,
    valid_to REAL,
    last_accessed REAL NOT NULL,
    access_count INTEGER NOT NULL DEFAULT 0,
    provenance TEXT NOT NULL DEFAULT 'stage1',
    change INTEGER NOT NULL DEFAULT 0,     -- says that something is no longer as it was
    length INTEGER NOT NULL DEFAULT 0      -- terms in the index
);
CREATE INDEX nodes_by_key ON nodes (canonical_key, status) WHERE canonical_key IS NOT NULL;
CREATE INDEX nodes_by_statement ON nodes (statement_key) WHERE statement_key IS NOT NULL;
CREATE INDEX nodes_by_session ON nodes (session);
CREATE INDEX nodes_by_message ON nodes (message);
CREATE INDEX nodes_by_family ON nodes (family, scope);
CREATE TABLE edges (
    src INTEGER NOT NULL REFERENCES nodes (id),
    dst INTEGER NOT NULL REFERENCES nodes (id),
    type TEXT NOT NULL,                    -- temporal, abstraction, association
    weight REAL NOT NULL DEFAULT 1.0,
    PRIMARY KEY (src, dst, type)
) WITHOUT ROWID;
CREATE INDEX edges_by_dst ON edges (dst);
CREATE TABLE supersessions (
    newer INTEGER NOT NULL REFERENCES nodes (id),
    older INTEGER NOT NULL REFERENCES nodes (id),
    at REAL NOT NULL,
    reason TEXT NOT NULL,                  -- same-key, correction, retracted, asked
    PRIMARY KEY (newer, older)
) WITHOUT ROWID;
CREATE INDEX supersessions_by_older ON supersessions (older);
CREATE TABLE aliases (
    alias TEXT NOT NULL,
    node INTEGER NOT NULL REFERENCES nodes (id),
    surface TEXT NOT NULL,
    PRIMARY KEY (alias, node)
) WITHOUT ROWID;
CREATE TABLE postings (
    scope INTEGER NOT NULL,
    term TEXT NOT NULL,
    chunk INTEGER NOT NULL,
    count INTEGER NOT NULL,
    data BLOB NOT NULL,                    -- count x uint32 document, then count x uint32 (frequency << 20 | length)
    UNIQUE (scope, term, chunk)
);
CREATE TABLE messages (
    id TEXT NOT NULL,
    session TEXT NOT NULL,
    uuid TEXT,                             -- of the transcript line
    node INTEGER,
    PRIMARY KEY (session, id)
) WITHOUT ROWID;
CREATE INDEX messages_by_uuid ON messages (uuid) WHERE uuid IS NOT NULL;
CREATE TABLE sources (
    node INTEGER NOT NULL REFERENCES nodes (id),
    session TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (node, session, message)
) WITHOUT ROWID;
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    project TEXT NOT NULL,
    first_at REAL NOT NULL,
    last_at REAL NOT NULL,
    consumed INTEGER NOT NULL,             -- bytes of the raw log that are in the graph
    ended INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE injections (
    session TEXT NOT NULL,
    mark INTEGER NOT NULL,                 -- checksum of the injected statement
    at REAL NOT NULL,
    PRIMARY KEY (session, mark)
) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('generation', '0');
"""

_STEP_2 = """
CREATE TABLE vector_rows (
    row INTEGER PRIMARY KEY,               -- in the vectors file of the generation in force
    node INTEGER NOT NULL REFERENCES nodes (id),
    window INTEGER NOT NULL DEFAULT 0      -- of a long message: which of its overlapping windows
);
CREATE INDEX vector_rows_by_node ON vector_rows (node);
INSERT INTO meta VALUES ('vectors_generation', '0');
INSERT INTO meta VALUES ('vectors_count', '0');
"""

_STEP_3 = """
CREATE TABLE uids (
    uid TEXT PRIMARY KEY,                  -- a statement made again is also known by the id that it would have had
    node INTEGER NOT NULL REFERENCES nodes (id),
    session TEXT NOT NULL,
    message TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX uids_by_node ON uids (node);
CREATE TABLE retractions (
    node INTEGER PRIMARY KEY REFERENCES nodes (id),
    at REAL NOT NULL,
    why TEXT NOT NULL DEFAULT ''
);
CREATE INDEX sources_by_message ON sources (session, message);
"""

_STEP_4 = """
CREATE TABLE stage2_sessions (
    id TEXT PRIMARY KEY,
    wanted INTEGER NOT NULL,               -- Stage 2 was switched on when the session began or ended
    unasked INTEGER NOT NULL               -- messages of the person's that no model has been shown yet
) WITHOUT ROWID;
INSERT INTO stage2_sessions SELECT id, 0, 1 FROM sessions WHERE ended = 1;
CREATE TABLE stage2_calls (
    id TEXT PRIMARY KEY,                   -- of the record in the session's raw log
    session TEXT NOT NULL,
    at REAL NOT NULL,
    client TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost_usd REAL                          -- NULL where the client does not tell
) WITHOUT ROWID;
ALTER TABLE nodes ADD COLUMN stage2_call TEXT;
"""

STEPS = (_STEP_1, _STEP_2, _STEP_3, _STEP_4)
