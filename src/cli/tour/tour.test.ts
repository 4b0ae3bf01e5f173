import { describe, expect, it } from 'vitest';
import { runCli } from '../../../test/cli/run-cli.ts';

describe('the end of the tour', () => {
  it.each([
    ['npx', 'npx toolmend'],
    ['toolmend', 'npm run -s toolmend --'],
    ['build', 'toolmend'],
    [undefined, 'toolmend'],
  ])('names the command as it was started (%s)', async (event, command) => {
    const { stdout, status } = await runCli(['tour'], { env: { npm_lifecycle_event: event } });
    expect(status).toBe(0);
    expect(stdout.split('\n').slice(-3)).toEqual([
      `Your own tools:  ${command} run --help`,
      `A single call:   ${command} mend "{path: 'a.ts',}"`,
      '',
    ]);
  });
});
