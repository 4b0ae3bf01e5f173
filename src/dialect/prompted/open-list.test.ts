import { describe, expect, it } from 'vitest';
import { toolWith } from '../../../test/dialects/toolboxes.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { readCalls } from '../read-calls.ts';

const string = { type: 'string' };
const toolbox = new Toolbox([
  toolWith('get_weather', { city: string }, 'read', { required: [] }),
  toolWith('update_rows', { table: string, where: string }, 'write', { required: [] }),
  toolWith('restart_service', { service: string }, 'destructive', { required: [] }),
]);
const read = (answer: string) => readCalls(answer, toolbox, { prompted: true });
const weather = '{"name": "get_weather", "arguments": {"city": "Paris"}}';
const cut = '{"name": "update_rows", "arguments": {"table": "users"';

describe('prompted: a call that an open list cuts off', () => {
  it.each<[answer: string, statuses: string[]]>([
    [`[${cut}`, ['truncated']],
    [`[${cut}}`, ['truncated']],
    [`[\n  ${cut}\n`, ['truncated']],
    [`[${weather}, ${cut}`, ['mended', 'truncated']],
    [`I'll update the rows:\n\n[${cut}`, ['truncated']],
    [`\`\`\`json\n[${cut}`, ['truncated']],
    [`\`\`\`json\n[${cut}\n\`\`\``, ['truncated']],
    ['[{"update_rows": {"table": "users"', ['truncated']],
    ['[{"function": {"name": "update_rows", "arguments": {"table": "users"}', ['truncated']],
    ['[update_rows(table="users"', ['truncated']],
    ['[\n  update_rows(table="users"\n', ['truncated']],
    ['[get_weather(city="Paris"), update_rows(table="users"', ['mended', 'truncated']],
    ['I\'ll update the rows:\n\n[update_rows(table="users"', ['truncated']],
    ['```json\n[update_rows(table="users"', ['truncated']],
  ])('%j', (answer, statuses) => {
    const found = read(answer).calls.map((call) => (call.status === 'invalid' ? call.errorType : call.status));
    expect(found).toEqual(statuses);
  });

  it.each([
    `[{"name": "restart_service", "arguments": {"service": "nginx"}}, ${cut.slice(0, -3)}`,
    '[restart_service(service="nginx"), update_rows(table=',
  ])('runs no destructive call before it: %j', (answer) => {
    const [first] = read(answer).calls;
    expect(first).toMatchObject({ status: 'invalid', errorType: 'validation' });
  });
});

describe('guard: prompted: missing closers that cut nothing off', () => {
  it.each([
    cut,
    `${cut}}`,
    `[${cut}}}`,
    `\`\`\`json\n${cut}\n\`\`\``,
    'update_rows(table="users"',
    '[update_rows(table="users")',
  ])('%j', (answer) => {
    expect(read(answer).calls).toMatchObject([{ status: 'mended', input: { table: 'users' } }]);
  });
});

const fenced = (code: string): string => `\`\`\`python\n${code}\n\`\`\``;
const paris = 'get_weather(city="Paris")';

describe('prompted: print around a call goes with it, and the fence that held nothing else', () => {
  it.each<[answer: string, left: string, count: number]>([
    [fenced(`print(${paris})`), '', 1],
    [fenced(`print( ${paris} )`), '', 1],
    [fenced(`print(${paris})\nprint(get_weather(city="Rome"))`), '', 2],
    [`Let me check:\n${fenced(`print(${paris})`)}`, 'Let me check:', 1],
    [`Let me check both:\n${fenced(`print(${paris})\nprint(get_weather(city="Rome"))`)}`, 'Let me check both:', 2],
  ])('%j', (answer, left, count) => {
    const { calls, text } = read(answer);
    expect(text).toBe(left);
    expect(calls).toHaveLength(count);
    for (const call of calls)
      expect(call).toMatchObject({ status: 'ok', repairs: [{ kind: 'text', certainty: 'inferred' }] });
  });
});

describe('guard: prompted: a Python fence without print', () => {
  it.each([fenced(paris), `Let me check:\n${fenced(paris)}`])('%j', (answer) => {
    const { calls, text } = read(answer);
    expect(calls).toMatchObject([{ status: 'ok', repairs: [{ kind: 'text', certainty: 'inferred' }] }]);
    expect(answer.startsWith(text)).toBe(true);
    expect(text).not.toContain('```');
  });
});

const written = ['get_weather(city="Paris")', 'update_rows(table="users", where="id = 1")'];

describe('prompted: a JSON string that holds a call is text', () => {
  it.each(written.flatMap((call) => [JSON.stringify(call), `\`\`\`json\n${JSON.stringify(call)}\n\`\`\``]))(
    '%j',
    (answer) => {
      expect(read(answer)).toMatchObject({ calls: [], text: answer });
    },
  );
});

describe('guard: prompted: quotes in calls', () => {
  it.each([
    ['"restart_service(service=\\"nginx\\")"', 0],
    ['"get_weather(city=\'Paris\')"', 0],
    ['["get_weather(city=\\"Paris\\")"]', 1],
    ['get_weather(city="the \\"old\\" town")', 1],
    ["get_weather(city='L\\'Aquila')", 1],
  ])('%j', (answer, count) => expect(read(answer).calls).toHaveLength(count));
});
