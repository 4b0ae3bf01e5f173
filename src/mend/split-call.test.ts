import { describe, expect, it } from 'vitest';
import { stepsOf } from '../../test/steps-of.ts';
import { type Effect, tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { mendParts, mergedCalls, splitCalls } from './mend-call.ts';

const string = { type: 'string' } as const;
const define = (name: string, properties: object, required: readonly string[], effect: Effect = 'write') =>
  tool({ name, description: name, effect, inputSchema: { type: 'object', properties, required: [...required] } });
const toolbox = new Toolbox([
  define('read', { path: string, limit: { type: 'integer' } }, ['path']),
  define('exec', { command: string }, ['command']),
  define('plan', { steps: { type: 'array' } }, []),
  define('now', {}, []),
  define('drop', { table: string }, ['table'], 'destructive'),
]);
const call = (name: string, args: unknown) => ({ type: 'call', id: 'c1', name, arguments: args }) as const;
const split = (name: string, args: unknown) =>
  mergedCalls(call(name, args), toolbox)?.map((part) => [part.name, part.arguments]);
const [a, b, c] = ['{"path": "a"}', '{"path": "b}{"}', '{"path": "c", "limit": 3}'];
const ls = '{"command": "ls"}';

describe('C22 calls that were merged into one are separated', () => {
  it.each<[name: string, args: string, parts: (readonly [string, string | undefined])[]]>([
    [
      'read',
      `${a}${b}`,
      [
        ['read', a],
        ['read', b],
      ],
    ],
    [
      'read',
      `${a}\n${b}\n${c}\n`,
      [
        ['read', a],
        ['read', b],
        ['read', c],
      ],
    ],
    [
      'readread',
      `${a}${b}`,
      [
        ['read', a],
        ['read', b],
      ],
    ],
    [
      'readexec',
      `${a}${ls}`,
      [
        ['read', a],
        ['exec', ls],
      ],
    ],
    [
      'execnowread',
      `${ls}{}${a}`,
      [
        ['exec', ls],
        ['now', '{}'],
        ['read', a],
      ],
    ],
    [
      'read',
      `{"name": "read", "arguments": ${a}}{"name": "exec", "arguments": ${ls}}`,
      [
        ['read', '{"path":"a"}'],
        ['exec', '{"command":"ls"}'],
      ],
    ],
  ])('%s(%s)', (name, args, parts) => expect(split(name, args)).toEqual(parts));

  it('with an id for each, and a repair', () => {
    const response = {
      message: { role: 'assistant', parts: [call('read', `${a}${b}`)] },
      finish: 'tool_calls',
    } as const;
    const { parts } = splitCalls(response, toolbox).message;
    const { calls } = mendParts(splitCalls(response, toolbox), { toolbox });
    expect(parts.map((part) => part.type === 'call' && part.id)).toEqual(['c1', expect.stringMatching(/./)]);
    expect(new Set(calls.map(({ part }) => part.id)).size).toBe(2);
    for (const { outcome } of calls)
      expect(outcome).toMatchObject({ status: 'mended', repairs: [{ kind: 'split', certainty: 'inferred' }] });
  });
});

describe('other calls stay as they are', () => {
  it.each<[why: string, name: string, args: unknown]>([
    ['a call that was sent twice', 'read', `${a}${a}`],
    ['one that was sent twice next to another', 'read', `${a}${b}${a}`],
    ['a part that is cut off', 'read', `${a}{"path": "b`],
    ['a part that needs a repair', 'read', `${a}{"path": "b", "limit": "3"}`],
    ['a part without a required field', 'read', `${a}{}`],
    ['a part with fields of another tool', 'plan', `{"command": "ls"}{"steps": []}`],
    ['text between the parts', 'read', `${a} and ${b}`],
    ['an empty object before the arguments', 'plan', '{}{"steps": []}'],
    ['a comma between the parts', 'read', `${a}, ${b}`],
    ['two commas between the parts', 'read', `${a},,${b}`],
    ['a comma at the end', 'read', `${a},${b},`],
    ['a list', 'read', `[${a}, ${b}]`],
    [
      'a part with another name first',
      'exec',
      `{"name": "read", "arguments": ${a}}{"name": "exec", "arguments": ${ls}}`,
    ],
    ['a part with an unknown name', 'read', `{"name": "read", "arguments": ${a}}{"name": "wipe", "arguments": ${ls}}`],
    ['a part without a name', 'read', `{"name": "read", "arguments": ${a}}${a}`],
    ['an unknown name', 'write', `${a}${b}`],
    ['another number of names', 'readexecnow', `${a}${ls}`],
    ['a tool that destroys', 'drop', '{"table": "a"}{"table": "b"}'],
    ['one of several that destroys', 'readdrop', `${a}{"table": "b"}`],
    ['a single object', 'read', c],
    ['a value', 'read', { path: 'a' }],
  ])('%s', (_, name, args) => expect(split(name, args)).toBeUndefined());

  it('in linear time', () => {
    const text = (size: number): string => `{"path": "${'}{'.repeat(size)}${'{'.repeat(size)}`;
    const steps = (size: number): number => stepsOf(() => split('read', text(size)));
    expect(steps(40_000)).toBeLessThan(20 * steps(4000));
  });
});
