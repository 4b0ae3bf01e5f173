import type { Queries } from '../postgres-pool.ts';

/** Each step takes the tables from one version to the next; a step that was released is never changed. */
const steps: readonly string[] = [
  `CREATE TABLE toolmend.events (
     run text NOT NULL, seq integer NOT NULL, at double precision NOT NULL, type text NOT NULL, body text NOT NULL,
     PRIMARY KEY (run, seq)
   );
   CREATE TABLE toolmend.runs (
     run text PRIMARY KEY, started_at double precision NOT NULL, updated_at double precision NOT NULL, seq integer NOT NULL
   );
   CREATE INDEX runs_by_time ON toolmend.runs (updated_at DESC, run);`,
  // Only runs that somebody has to work on stand in this index, so that looking for them costs the same after any number.
  `ALTER TABLE toolmend.runs ADD COLUMN queued boolean NOT NULL DEFAULT false, ADD COLUMN open boolean;
   CREATE INDEX runs_due ON toolmend.runs (updated_at) WHERE queued AND open;`,
];

/** One number for all who migrate at the same moment: the second waits for the first. */
const lock = 7_645_001;

/** Brings the tables up to this version, in the transaction it is given; refuses those that a later version wrote. */
export async function migrate(queries: Queries): Promise<void> {
  await queries.query('SELECT pg_advisory_xact_lock($1)', [lock]);
  await queries.query('CREATE SCHEMA IF NOT EXISTS toolmend');
  await queries.query('CREATE TABLE IF NOT EXISTS toolmend.version (version integer NOT NULL)');
  const { rows } = await queries.query('SELECT version FROM toolmend.version');
  const version = Number(rows[0]?.version ?? 0);
  if (version > steps.length) {
    throw new Error(`The store was written by a later version (${version} > ${steps.length}). Update toolmend.`);
  }
  for (const step of steps.slice(version)) await queries.query(step);
  await queries.query('DELETE FROM toolmend.version');
  await queries.query('INSERT INTO toolmend.version VALUES ($1)', [steps.length]);
}
