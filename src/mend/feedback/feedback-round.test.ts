import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RawCall } from '../../model/index.ts';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { mend } from '../mend.ts';
import type { BadOutcome } from '../outcome.ts';
import { feedback, invalidPayload } from './feedback.ts';

const edit = z.object({ path: z.string(), find: z.string(), replace: z.string() });
const toolbox = new Toolbox([
  tool({ name: 'fs_multi_edit', description: 'Edits files', inputSchema: z.object({ edits: z.array(edit).min(1) }) }),
  tool({
    name: 'read_file',
    description: 'Reads a file',
    effect: 'read',
    inputSchema: z.object({
      file_path: z.string(),
      limit: z.number().optional(),
      config: z.object({ timeout: z.number() }).optional(),
    }),
  }),
]);

const refused = (call: RawCall): BadOutcome => {
  const outcome = mend(call, toolbox);
  if (outcome.status !== 'invalid') throw new Error(`expected a refusal, got ${JSON.stringify(outcome.input)}`);
  return outcome;
};

describe('from the call to the feedback', () => {
  it('S0.4 what a model wrote gives the text to the letter', () => {
    const outcome = refused({ name: 'read_file', arguments: '{"limit": "ten", "config": {"timeout": null}}' });
    expect(feedback(outcome).text).toBe(`Parameter validation failed:

1. Field 'file_path' is required but missing
2. Field 'limit' expected number, got string
3. Field 'config.timeout' expected number, got null

Please fix the parameters and try again.`);
  });

  it('S1.5 a missing path in two edits is one recommendation', () => {
    const outcome = refused({
      name: 'fs_multi_edit',
      arguments: {
        edits: [
          { find: 'a', replace: 'b' },
          { find: 'c', replace: 'd' },
        ],
      },
    });
    expect(feedback(outcome).result.recommendations).toEqual(['path is required for each edit: send a string']);
  });

  it('C1 the example of the third try is a call that passes, once its placeholders are filled in', () => {
    const outcome = refused({
      name: 'fs_multi_edit',
      arguments: '{"edits": [{"find": "a", "replace": 5, "path": null}]}',
    });
    const { text } = feedback(outcome, { attempt: 3 });
    const example = /Example of a call to fs_multi_edit:\n(.*)/.exec(text)?.[1];
    const { problems } = mend({ name: 'fs_multi_edit', arguments: example }, toolbox);
    expect(problems).toMatchObject([{ code: 'residue', received: '<path>' }]);
    const filled = example?.replace('<path>', 'a.ts');
    expect(mend({ name: 'fs_multi_edit', arguments: filled }, toolbox).status).toBe('ok');
    expect(example).toContain('"find":"a"');
  });

  it('C1 the third try names the known fields beside an unknown one, and leaves unknown ones out of the example', () => {
    const { text } = feedback(refused({ name: 'read_file', arguments: '{"path": "a", "extra": 1}' }), { attempt: 3 });
    expect(text).toContain('Root object: fields file_path, limit, config\n');
    expect(text).toContain('\n{"file_path":"a"}\n');
  });

  it('C2 reports a truncated write as truncated', () => {
    const outcome = refused({
      name: 'fs_multi_edit',
      arguments: '{"edits": [{"path": "a.ts", "find": "x',
      finishReason: 'length',
    });
    const { text, result } = feedback(outcome);
    expect(text).toMatch(/cut off by the output token limit.*Nothing was run.*smaller pieces/s);
    expect(result).toMatchObject({ errorType: 'truncated', retryable: false });
  });

  it('C4 malformed input for a known tool is no unknown tool, and the other way round', () => {
    const malformed = feedback(refused({ name: 'read_file', arguments: 'no idea' }), { toolbox });
    expect(malformed.result.errorType).toBe('validation');
    const unknown = feedback(refused({ name: 'launch_rocket', arguments: '{' }), { toolbox });
    expect(unknown.result.errorType).toBe('unknown_tool');
    expect(unknown.text).toContain('fs_multi_edit, read_file');
    expect(unknown.text.match(/Available tools/g)).toHaveLength(1);
  });

  it('C3 S4.2 a call without a name makes a valid payload', () => {
    const outcome = refused({ arguments: '{"a":1}' } as unknown as RawCall);
    expect(invalidPayload(outcome)).toEqual({ tool: 'unknown', error: expect.any(String), receivedArgs: { a: 1 } });
  });
});
