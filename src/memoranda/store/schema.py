"""The tables of memory.db: the log, which is the truth, and the views that a fold makes of it."""

from __future__ import annotations

FORMAT = 5
"""Version of the database format; raised with a migration in `MIGRATIONS`."""

APPLICATION_ID = 0x4D454D4F
"""Marks the file as ours in SQLite's header ("MEMO")."""

LOG_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;

CREATE TABLE record (
    position INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    recorded TEXT NOT NULL,
    size INTEGER NOT NULL,
    commitment BLOB NOT NULL,
    chain BLOB NOT NULL
) STRICT;

CREATE TABLE payload (position INTEGER PRIMARY KEY, key BLOB NOT NULL, body TEXT NOT NULL) STRICT;

CREATE INDEX record_upkeep ON record (kind, position) WHERE kind NOT IN ('event', 'extraction');

CREATE TABLE erased (
    position INTEGER PRIMARY KEY, by INTEGER NOT NULL, at TEXT NOT NULL, commitment BLOB
) STRICT;

CREATE TABLE digest (
    kind TEXT NOT NULL, digest BLOB NOT NULL, position INTEGER NOT NULL,
    PRIMARY KEY (kind, digest, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX digest_position ON digest (position);

CREATE TABLE projection (
    file TEXT PRIMARY KEY, document_id TEXT, version INTEGER NOT NULL,
    digest BLOB NOT NULL, seen TEXT
) STRICT;

CREATE TABLE projected (digest BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE layout (
    document_id TEXT NOT NULL, number INTEGER NOT NULL, changes INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (document_id, number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER record_is_new BEFORE INSERT ON record
WHEN EXISTS (SELECT 1 FROM record WHERE position = NEW.position OR id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;
CREATE TRIGGER payload_is_new BEFORE INSERT ON payload
WHEN EXISTS (SELECT 1 FROM payload WHERE position = NEW.position)
BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;
CREATE TRIGGER record_stays BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;
CREATE TRIGGER record_remains BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;
CREATE TRIGGER payload_stays BEFORE UPDATE ON payload
BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;
CREATE TRIGGER payload_remains BEFORE DELETE ON payload
WHEN NOT EXISTS (SELECT 1 FROM erased WHERE position = OLD.position)
BEGIN SELECT RAISE(ABORT, 'the log only grows: a payload goes only after its tombstone stands'); END;
CREATE TRIGGER tombstone_remains BEFORE DELETE ON erased
BEGIN SELECT RAISE(ABORT, 'what was forgotten stays forgotten'); END;
"""

VIEW_TABLES = """
CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;

CREATE TABLE entry (
    seq INTEGER PRIMARY KEY,
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    text TEXT NOT NULL,
    time TEXT,
    recorded TEXT NOT NULL,
    moment TEXT NOT NULL,
    source TEXT NOT NULL,
    speaker TEXT,
    session TEXT,
    project TEXT,
    sensitivity TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    same BLOB,
    document_id TEXT,
    block INTEGER,
    superseded_by INTEGER,
    final INTEGER,
    retracted INTEGER,
    erased INTEGER,
    looked INTEGER,
    place INTEGER
) STRICT;
CREATE INDEX entry_current ON entry (seq) WHERE document_id IS NULL AND line = seq;
CREATE INDEX entry_document ON entry (document_id, block, seq);
CREATE INDEX entry_line ON entry (line);
CREATE INDEX entry_session ON entry (session, project, seq) WHERE session IS NOT NULL;
CREATE INDEX entry_final ON entry (final) WHERE final IS NOT NULL;
CREATE INDEX entry_superseded ON entry (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX entry_same ON entry (same) WHERE same IS NOT NULL;

CREATE TABLE entry_key (key TEXT, seq INTEGER, PRIMARY KEY (key, seq)) STRICT, WITHOUT ROWID;

CREATE TABLE entry_event (
    seq INTEGER NOT NULL, event INTEGER NOT NULL, event_id TEXT NOT NULL, external_id TEXT,
    PRIMARY KEY (seq, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX entry_event_event ON entry_event (event);

CREATE TABLE joined (
    line INTEGER PRIMARY KEY, own TEXT NOT NULL, tokens INTEGER NOT NULL, moment TEXT NOT NULL
) STRICT;

CREATE TABLE marked (event INTEGER PRIMARY KEY, sensitivity TEXT NOT NULL) STRICT;

CREATE TABLE proposal (
    plan_id TEXT PRIMARY KEY, position INTEGER NOT NULL, state TEXT NOT NULL, mode TEXT NOT NULL,
    kind TEXT NOT NULL, basis TEXT NOT NULL, seqs TEXT NOT NULL, decided INTEGER
) STRICT;

CREATE TABLE parked (seq INTEGER PRIMARY KEY, plan_id TEXT NOT NULL, state TEXT NOT NULL) STRICT;

CREATE TABLE supersession (
    older INTEGER NOT NULL, newer INTEGER NOT NULL, position INTEGER NOT NULL,
    PRIMARY KEY (older, newer)
) STRICT, WITHOUT ROWID;
CREATE INDEX supersession_newer ON supersession (newer);

CREATE TABLE document (
    id TEXT PRIMARY KEY,
    number INTEGER NOT NULL UNIQUE,
    title TEXT NOT NULL,
    title_from TEXT NOT NULL,
    titled_tokens INTEGER NOT NULL,
    summary TEXT NOT NULL,
    summary_from TEXT NOT NULL,
    project TEXT,
    created_time TEXT NOT NULL,
    updated_time TEXT NOT NULL,
    update_count INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    parent_id TEXT,
    merged_from TEXT NOT NULL,
    update_log TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    version INTEGER NOT NULL,
    retired INTEGER,
    extra TEXT NOT NULL DEFAULT '',
    extra_from TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX document_version ON document (version);
CREATE INDEX document_epoch ON document (epoch) WHERE retired IS NULL;

CREATE TABLE block (
    id INTEGER PRIMARY KEY,
    document_id TEXT NOT NULL,
    headings TEXT NOT NULL,
    headings_from TEXT NOT NULL,
    moment TEXT NOT NULL,
    place INTEGER
) STRICT;
CREATE INDEX block_document ON block (document_id, moment, id);
"""

VIEW_NAMES = (
    "counter",
    "entry",
    "entry_key",
    "entry_event",
    "joined",
    "marked",
    "proposal",
    "parked",
    "supersession",
    "document",
    "block",
)

MIGRATIONS: dict[int, str] = {
    1: """
ALTER TABLE erased ADD COLUMN commitment BLOB;
ALTER TABLE entry ADD COLUMN erased INTEGER;
CREATE INDEX record_upkeep ON record (kind, position) WHERE kind NOT IN ('event', 'extraction');
CREATE TRIGGER tombstone_remains BEFORE DELETE ON erased
BEGIN SELECT RAISE(ABORT, 'what was forgotten stays forgotten'); END;
""",
    2: """
CREATE TABLE joined (
    line INTEGER PRIMARY KEY, own TEXT NOT NULL, tokens INTEGER NOT NULL, moment TEXT NOT NULL
) STRICT;
CREATE TABLE proposal (
    plan_id TEXT PRIMARY KEY, position INTEGER NOT NULL, state TEXT NOT NULL, mode TEXT NOT NULL,
    kind TEXT NOT NULL, basis TEXT NOT NULL, seqs TEXT NOT NULL, decided INTEGER
) STRICT;
CREATE TABLE parked (seq INTEGER PRIMARY KEY, plan_id TEXT NOT NULL, state TEXT NOT NULL) STRICT;
""",
    3: """
ALTER TABLE entry ADD COLUMN looked INTEGER;
""",
    4: """
CREATE TABLE marked (event INTEGER PRIMARY KEY, sensitivity TEXT NOT NULL) STRICT;
ALTER TABLE entry ADD COLUMN place INTEGER;
ALTER TABLE block ADD COLUMN place INTEGER;
ALTER TABLE document ADD COLUMN extra TEXT NOT NULL DEFAULT '';
ALTER TABLE document ADD COLUMN extra_from TEXT NOT NULL DEFAULT '[]';
CREATE TABLE layout (
    document_id TEXT NOT NULL, number INTEGER NOT NULL, changes INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (document_id, number)
) STRICT, WITHOUT ROWID;
""",
}
"""Format version -> SQL that brings a database of that version to the next one."""
