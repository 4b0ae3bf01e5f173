/** That the oracle bites: without any one of these rules it reports. Each runs in a process of its own, on a copy of the source. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sampleOf } from '../../sample.ts';
import { copySource } from './copy-source.ts';
import { disableRule } from './disable-rule.ts';
import { rules } from './rules.ts';

const main = join(import.meta.dirname, 'main.ts');
const searched = (source: string, mistake: string, template: string): { status: number | null; output: string } => {
  const args = [main, '1500', '1', '--source', source, '--mistake', mistake, '--template', template, '--enough', '1'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 110_000 });
  return { status, output: stdout + stderr };
};

describe('the oracle reports where a rule is taken out', () => {
  const source = copySource();
  afterAll(() => source.dispose());

  it('guard: names at least ten rules', () => {
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
    expect(rules.length).toBeGreaterThanOrEqual(10);
  });

  // Only a third of the rules is tried in a short run, but the rows of all must fit the source.
  it('guard: finds every rule once in the source', () => {
    for (const rule of rules) disableRule(rule, source.folder).dispose();
  });

  /** Rules that stood before. */
  const held = /^(?:a key given twice|a comma in a number|a member of an enum)/;
  it.each(sampleOf(rules, 3).map((rule) => [held.test(rule.name) ? 'guard: ' : '', rule.name, rule] as const))(
    '%s%s',
    (_, __, rule) => {
      const taken = disableRule(rule, source.folder);
      try {
        const { status, output } = searched(source.folder, rule.mistake, rule.template ?? '');
        expect(output).toMatch(/: [1-9]\d* accepted that have another original/);
        expect(status).toBe(1);
      } finally {
        taken.dispose();
      }
    },
  );
});
