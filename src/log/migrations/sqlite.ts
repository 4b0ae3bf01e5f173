import type { DatabaseSync } from 'node:sqlite';
import { ToolmendError } from '../../json/toolmend-error.ts';

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
