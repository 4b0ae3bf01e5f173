import type { DatabaseSync } from 'node:sqlite';
import { ToolmendError } from '../../json/toolmend-error.ts';

/** The id of an event's row is the number of its run, followed by its sequence number in this many bits. */
export const seqBits = 24;

/** The list is sorted by time in spans of this many milliseconds, and by the time of the last event within a span. */
export const listSpan = 10_000;

/** Each step migrates to the next version. Released steps never change. */
const steps: readonly string[] = [
  `CREATE TABLE events (
     run TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL,
     PRIMARY KEY (run, seq)
   );
   CREATE TABLE runs (run TEXT PRIMARY KEY, started_at INTEGER NOT NULL) WITHOUT ROWID;`,
  // Stores the list as it is displayed, so that listing the newest runs doesn't read all of them.
  `ALTER TABLE runs ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE runs ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
   UPDATE runs SET (updated_at, seq) =
     (SELECT at, seq FROM events WHERE events.run = runs.run ORDER BY seq DESC LIMIT 1);
   CREATE INDEX runs_by_time ON runs (updated_at DESC, run);`,
  // A commit writes a few pages only: the event's key is its row's id, and the list changes every few seconds.
  `ALTER TABLE runs RENAME TO old_runs;
   ALTER TABLE events RENAME TO old_events;
   CREATE TABLE runs (id INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, started_at INTEGER NOT NULL, listed INTEGER NOT NULL);
   CREATE TABLE log (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL);
   INSERT INTO runs (run, started_at, listed) SELECT run, started_at, updated_at / ${listSpan} FROM old_runs;
   INSERT INTO log SELECT (runs.id << ${seqBits}) + seq, at, body FROM runs JOIN old_events USING (run) ORDER BY 1;
   DROP TABLE old_events;
   DROP TABLE old_runs;
   CREATE INDEX runs_by_time ON runs (listed DESC);
   CREATE VIEW events AS
     SELECT run, log.id & ${2 ** seqBits - 1} AS seq, at, body ->> '$.type' AS type, body
     FROM log JOIN runs ON runs.id = log.id >> ${seqBits};`,
];

/** Migrates a file to the current version. Throws if a later version wrote it. */
export function migrate(db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
    if (version > steps.length) {
      throw new ToolmendError(
        'store_version',
        `The store has version ${version}, written by a later version of toolmend; this one reads up to ${steps.length}. Update toolmend.`,
      );
    }
    for (const step of steps.slice(version)) db.exec(step);
    db.exec(`PRAGMA user_version = ${steps.length}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
