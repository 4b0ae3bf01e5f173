import { describe, expect, it } from 'vitest';
import type { Problem } from '../../json/problem.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { describe as put } from '../../schema/validate/messages.ts';
import { tool } from '../../tools/tool.ts';
import type { BadOutcome } from '../outcome.ts';
import { feedback } from './feedback.ts';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    file_path: { type: 'string', description: 'Path of the file' },
    limit: { type: 'number', minimum: 1 },
    config: { type: 'object', properties: { timeout: { type: 'number' }, name: { type: 'string' } } },
    notes: { type: 'string', description: 'Never at fault here' },
  },
  required: ['file_path'],
};

const readFile = tool({ name: 'read_file', description: 'Reads', inputSchema: schema });

const bad = (problems: Problem[], input: unknown, more: Partial<BadOutcome> = {}): BadOutcome => ({
  status: 'invalid',
  errorType: 'validation',
  raw: { name: 'read_file', arguments: JSON.stringify(input) ?? '' },
  tool: readFile,
  name: 'read_file',
  input,
  repairs: [],
  problems,
  ...more,
});

const input = { limit: 'ten', config: { timeout: null, name: 'a' }, notes: 'kept' };
const problems = [
  put({ path: ['file_path'], code: 'required', want: {}, received: undefined }),
  put({ path: ['limit'], code: 'type', want: ['number'], received: 'ten' }),
  put({ path: ['config', 'timeout'], code: 'type', want: ['number'], received: null }),
];
const tokens = (text: string) => Math.ceil(text.length / 4);

describe('feedback', () => {
  it('S0.4 the first try reads to the letter', () => {
    expect(feedback(bad(problems, input)).text).toBe(`Parameter validation failed:

1. Field 'file_path' is required but missing
2. Field 'limit' expected number, got string
3. Field 'config.timeout' expected number, got null

Please fix the parameters and try again.`);
  });

  it('S0.4 an empty path reads Root object, unknown kinds keep the validator’s words, a suggestion follows', () => {
    const text = feedback(
      bad(
        [
          put({ path: [], code: 'type', want: ['object'], received: [1] }),
          put({ path: ['when'], code: 'other', want: 'must be in the future', received: 'x' }),
          { ...put({ path: ['tags'], code: 'type', want: ['array'], received: 'a,b' }), suggestion: 'Send ["a","b"]' },
        ],
        [1],
      ),
    ).text;
    expect(text).toContain('1. Root object expected object, got array\n');
    expect(text).toContain("2. Field 'when': must be in the future\n");
    expect(text).toContain('3. Field \'tags\' expected array, got string. Send ["a","b"]\n');
  });

  it('S0.5 S1.4 the result is marked as an error and carries type, retryable and recommendations', () => {
    const { isError, result, text } = feedback(bad(problems, input));
    expect(isError).toBe(true);
    expect(result).toEqual({
      ok: false,
      error: text,
      errorType: 'validation',
      retryable: false,
      recommendations: [
        'file_path is required: send a string (Path of the file)',
        'limit must be a number',
        'config.timeout must be a number',
      ],
    });
  });

  it('S1.4 mentions what was dropped in the note', () => {
    const repairs = [{ path: ['colour'], kind: 'dropped', before: 'red', certainty: 'inferred' }] as const;
    expect(feedback(bad(problems, input, { repairs })).result.note).toBe("Unknown parameter 'colour' was ignored");
  });

  it('C1 the second try shows the arguments with each fault marked in place', () => {
    expect(feedback(bad(problems, input), { attempt: 2 }).text).toContain(`The arguments as received:
{
  "limit": "ten"  ← expected number, got string
  "config": {
    "timeout": null  ← expected number, got null
    "name": "a"
  }
  "notes": "kept"
  "file_path": (missing)  ← is required but missing
}

Please fix the parameters`);
  });

  it('C1 the third try adds the schema of what is wrong and an example that keeps what was right', () => {
    const { text } = feedback(bad(problems, input), { attempt: 3 });
    expect(text).toContain(`What the schema says:
file_path (required): {"type":"string","description":"Path of the file"}
limit: {"type":"number","minimum":1}
config.timeout: {"type":"number"}

Example of a call to read_file:
{"limit":"<limit: a number>","config":{"name":"a"},"notes":"kept","file_path":"<file_path>"}`);
    expect(text).not.toContain('Never at fault');
  });

  it('C1 each level says more, and all stay cheap', () => {
    const costs = [1, 2, 3].map((tries) => tokens(feedback(bad(problems, input), { attempt: tries }).text));
    expect(costs[0]).toBeLessThan(60);
    expect(costs[1]).toBeLessThan(130);
    expect(costs[2]).toBeLessThan(220);
    expect(costs).toEqual([...costs].sort((a, b) => a - b));
    expect(feedback(bad(problems, input), { attempt: 9 }).text).toBe(
      feedback(bad(problems, input), { attempt: 3 }).text,
    );
  });

  it('C2 a cut-off call names the limit, says that nothing ran and asks for smaller pieces', () => {
    const text = `{"path":"a.ts","content":"${'x'.repeat(9000)}`;
    const { text: told, result } = feedback(
      bad(
        [{ path: ['content'], code: 'truncated', message: "Field 'content' is cut off" }],
        { path: 'a.ts' },
        {
          errorType: 'truncated',
          name: 'write_file',
          raw: { name: 'write_file', arguments: text, finishReason: 'length' },
        },
      ),
    );
    expect(told).toContain("The call to 'write_file' was cut off by the output token limit");
    expect(told).toContain('Nothing was run.');
    expect(told).toContain("1. Field 'content' is cut off");
    expect(told).toContain('smaller pieces (it broke off after 9026 characters; keep each call under about 4000)');
    expect(result).toMatchObject({ errorType: 'truncated', retryable: false });
    expect(result.recommendations).toEqual([expect.stringContaining('smaller pieces')]);
  });

  it('C4 an unknown tool and malformed input for a known one read differently', () => {
    const unknown = feedback(
      bad(
        [{ path: [], code: 'unknown_tool', message: "Tool 'reed' does not exist; did you mean 'read_file'?" }],
        {},
        {
          errorType: 'unknown_tool',
          name: 'reed',
        },
      ),
      { toolbox: { list: () => [{ name: 'read_file' }, { name: 'write_file' }] } },
    );
    expect(unknown.text).toBe(`Tool 'reed' does not exist; did you mean 'read_file'?

Available tools: read_file, write_file

Please call one of the available tools by its exact name.`);
    const malformed = feedback(bad([{ path: [], code: 'syntax', message: 'The arguments are not JSON' }], undefined));
    expect(malformed.result.errorType).toBe('validation');
    expect(malformed.text).not.toContain('does not exist');
    expect(malformed.result.recommendations).toEqual(['Send the arguments as one JSON object with "file_path"']);
  });

  it('a megabyte of arguments and ten thousand problems stay within a few KB on every level', () => {
    const long = 'x'.repeat(1_000_000);
    const many = Array.from({ length: 10_000 }, (_, index) =>
      put({ path: ['list', index, long.slice(0, 5000)], code: 'type', want: ['number'], received: long }),
    );
    const huge = bad(many, { file_path: long, list: Array.from({ length: 10_000 }, () => ({ a: 1 })) });
    const sizes = [1, 2, 3].map((tries) => feedback(huge, { attempt: tries }).text.length);
    expect(sizes[0]).toBeLessThan(4500);
    expect(sizes[1]).toBeLessThan(8000);
    expect(sizes[2]).toBeLessThan(14_000);
    expect(feedback(huge).text).toMatch(/… and 99\d\d more/);
    expect(JSON.stringify(feedback(huge).result.recommendations).length).toBeLessThan(3000);
  });
});
