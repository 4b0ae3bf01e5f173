import { expect, it } from 'vitest';
import { countTests } from './count-tests.ts';
import { runStep } from './run-step.ts';
import type { Step } from './steps.ts';

const script = (code: string, count?: Step['count']): Step => ({
  name: 'script',
  group: 'check',
  command: ['node', '-e', code, '{report}'],
  ...(count && { count }),
});
const writeReport = (...tests: string[]): string => {
  const file = { status: 'passed', assertionResults: tests.map((status) => ({ status })) };
  return `require('node:fs').writeFileSync(process.argv[1], '${JSON.stringify({ testResults: [file] })}');`;
};

it('counts a program that ends well as one passed', async () => {
  expect(await runStep(script(''))).toMatchObject({ passed: 1, failed: 0 });
});

it('counts a program that ends badly as one failed, and keeps all it printed but the colours', async () => {
  const result = await runStep(script(`console.log('\\x1b[31mout\\x1b[0m'); console.error('err'); process.exit(3)`));
  expect(result).toMatchObject({ passed: 0, failed: 1 });
  expect(result.output).toContain('out\n');
  expect(result.output).toContain('err\n');
});

it('counts a program that cannot be started as one failed', async () => {
  const result = await runStep({ name: 'none', group: 'check', command: ['toolmend-no-such-program'] });
  expect(result).toMatchObject({ passed: 0, failed: 1 });
  expect(result.output).toContain('ENOENT');
});

it('takes the numbers of a report', async () => {
  const result = await runStep(script(`${writeReport('passed', 'passed', 'failed')} process.exit(1)`, countTests));
  expect(result).toMatchObject({ passed: 2, failed: 1 });
});

it('counts a failure that no test shows, such as an error after the last one', async () => {
  const result = await runStep(script(`${writeReport('passed', 'passed')} process.exit(1)`, countTests));
  expect(result).toMatchObject({ passed: 2, failed: 1 });
});

it('counts a missing report as a failure, however well the program ended', async () => {
  expect(await runStep(script('', countTests))).toMatchObject({ passed: 0, failed: 1 });
});

it('ends a program that exceeds its time limit, and fails the step', async () => {
  const result = await runStep({ ...script('setInterval(() => {}, 1000)'), minutes: 0.02 });
  expect(result).toMatchObject({ passed: 0, failed: 1, output: 'It was ended after 0.02 minutes.\n' });
});
