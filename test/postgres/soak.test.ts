import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { soakBars } from '../../bench/machines/machines-result.ts';
import { soak } from '../../bench/machines/soak.ts';
import { closeAfterEach, usePostgres } from './use-postgres.ts';

const postgres = usePostgres();
const closing = closeAfterEach();

/** The time to confirm a command depends on the machine's load, so only `npm run bench:machines` measures it. */
const isTimed = (what: string): boolean => what.startsWith('time to confirm');

describe('a short soak of two agents', { timeout: 180_000 }, () => {
  it('keeps every guarantee while workers are killed and runs get commands', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolmend-soak-'));
    closing.push(() => rmSync(folder, { recursive: true, force: true }));
    const size = { runs: 24, workers: 2, kills: 2, restarts: 0, poison: 1, commands: 4, agents: 2 };
    // Below the defaults of 10 seconds and 5 attempts, because the poisonous run waits for each, and longer every time.
    const options = { ...size, heartbeat: 2, attempts: 3 };
    const verdict = await soak(await postgres.database(), folder, options, { at: () => {}, say: () => {} }, postgres);
    const broken = soakBars(verdict, options).filter(({ what, met }) => !met && !isTimed(what));
    expect(broken).toEqual([]);
    expect(verdict.failed).toEqual([]);
  });
});
