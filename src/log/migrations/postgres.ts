import { ToolmendError } from '../../json/toolmend-error.ts';
import type { Queries } from '../postgres-pool.ts';

/** Each step migrates to the next version. Released steps never change. */
const steps: readonly string[] = [
  `CREATE TABLE toolmend.events (
     run text NOT NULL, seq integer NOT NULL, at double precision NOT NULL, type text NOT NULL, body text NOT NULL,
     PRIMARY KEY (run, seq)
   );
   CREATE TABLE toolmend.runs (
     run text PRIMARY KEY, started_at double precision NOT NULL, updated_at double precision NOT NULL, seq integer NOT NULL
   );
   CREATE INDEX runs_by_time ON toolmend.runs (updated_at DESC, run);`,
  // The index contains only runs with work, so that finding them doesn't slow down as the table grows.
  `ALTER TABLE toolmend.runs ADD COLUMN queued boolean NOT NULL DEFAULT false, ADD COLUMN open boolean;
   CREATE INDEX runs_due ON toolmend.runs (updated_at) WHERE queued AND open;`,
  // When a paused run has work again, because a call has waited too long for its result.
  `ALTER TABLE toolmend.runs ADD COLUMN wake_at double precision;
   CREATE INDEX runs_wake ON toolmend.runs (wake_at) WHERE queued AND wake_at IS NOT NULL;`,
  // Workers only look for the runs of their agent.
  `ALTER TABLE toolmend.runs ADD COLUMN agent text NOT NULL DEFAULT 'default';
   DROP INDEX toolmend.runs_due;
   CREATE INDEX runs_due ON toolmend.runs (agent, updated_at) WHERE queued AND open;`,
  // Commands for runs that a worker has.
  `CREATE TABLE toolmend.commands (
     id bigserial PRIMARY KEY, run text NOT NULL, body text NOT NULL, created_at timestamptz NOT NULL DEFAULT now(),
     received_at timestamptz, acknowledged_at timestamptz, done_at timestamptz, error text
   );
   CREATE INDEX commands_open ON toolmend.commands (run) WHERE done_at IS NULL;`,
];

/** Advisory lock for concurrent migrations. */
const lock = 7_645_001;

/** Migrates the tables to the current version in the current transaction. Throws if a later version wrote them. */
export async function migrate(queries: Queries): Promise<void> {
  await queries.query('SELECT pg_advisory_xact_lock($1)', [lock]);
  await queries.query('CREATE SCHEMA IF NOT EXISTS toolmend');
  await queries.query('CREATE TABLE IF NOT EXISTS toolmend.version (version integer NOT NULL)');
  const { rows } = await queries.query('SELECT version FROM toolmend.version');
  const version = Number(rows[0]?.version ?? 0);
  if (version > steps.length) {
    throw new ToolmendError(
      'store_version',
      `The store has version ${version}, written by a later version of toolmend; this one reads up to ${steps.length}. Update toolmend.`,
    );
  }
  for (const step of steps.slice(version)) await queries.query(step);
  await queries.query('DELETE FROM toolmend.version');
  await queries.query('INSERT INTO toolmend.version VALUES ($1)', [steps.length]);
}
