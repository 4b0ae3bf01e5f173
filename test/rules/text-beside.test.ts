import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const text = { type: 'string' };
const made = (name: string, properties: object, effect: 'read' | 'write' | 'destructive') =>
  tool({
    name,
    description: name,
    effect,
    inputSchema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  });
const toolbox = new Toolbox([
  made('delete_user', { id: { type: 'integer' } }, 'destructive'),
  made('get_user', { id: { type: 'integer' } }, 'read'),
  made('logout', {}, 'write'),
  made('now', {}, 'read'),
  made('turn_on', { device: text }, 'write'),
  made('turn_off', { device: text }, 'write'),
  made('backup', { database: text }, 'write'),
  made('drop_table', { table: text }, 'destructive'),
]);
const read = (answer: string, row: string) =>
  readCalls(answer, toolbox, row === 'prompted' ? { prompted: true } : { dialect: row });
const isText = (answer: string, row: string): boolean => {
  const { calls, text: left } = read(answer, row);
  return calls.length === 0 && left === answer;
};

const goods = ['delete_user', 'get_user'].map((name) => JSON.stringify({ name, arguments: { id: 5 } }));
const foreign = [
  '{"name": "get_user", "arguments": {"id": 5}, "result": "Kim"}',
  '{"name": "delete_user", "arguments": {"id": 6}, "approved": false}',
  '{"name": "notify_admin", "arguments": {"id": 6}}',
  '{"comment": "do not run"}',
  '{"status": "planned", "id": 2}',
  '{"id": 6, "name": "Kim"}',
  'null',
  '3',
  '[]',
  '[1, 2]',
  '{}',
  'true',
  '"skip this"',
];
const orders = (good: string, other: string): string[][] => [
  [good, other],
  [other, good],
  [good, other, good.replace('5', '7')],
  [good, good.replace('5', '7'), other],
];
const fences: Readonly<Record<string, (inner: string) => string>> = {
  none: (inner) => inner,
  json: (inner) => `\`\`\`json\n${inner}\n\`\`\``,
  plain: (inner) => `\`\`\`\n${inner}\n\`\`\``,
};
const shapes: Readonly<Record<string, (items: readonly string[]) => string>> = {
  list: (items) => `[${items.join(', ')}]`,
  lines: (items) => items.join('\n'),
  'list in lines': (items) => `[\n  ${items.join(',\n  ')}\n]`,
  wrapper: (items) => `{"tool_calls": [${items.join(', ')}]}`,
};
const rows = ['prompted', 'json-array', 'json-fence', 'llama3-json', 'xlam', 'granite3', 'hermes-lenient'];
const failures = (row: string, shape: string): string[] =>
  goods.flatMap((good) =>
    foreign.flatMap((other) =>
      orders(good, other).flatMap((items) =>
        Object.values(fences)
          .map((fence) => fence((shapes[shape] as (items: readonly string[]) => string)(items)))
          .filter((answer) => !isText(answer, row)),
      ),
    ),
  );

describe('one item that is not a call makes all of them data', () => {
  // A word alone on a line may lead in what follows, where the row is named; what else stands in lines is data.
  it.each(rows.flatMap((row) => Object.keys(shapes).map((shape) => [row, shape] as const)))('%s, %s', (row, shape) => {
    const left = failures(row, shape);
    const isWord = (answer: string): boolean => /^(?:null|3|true|"skip this")$/m.test(answer);
    expect(row === 'prompted' || shape !== 'lines' ? left : left.filter((one) => !isWord(one))).toEqual([]);
  });

  it('records that contain the name of a tool', () => {
    const answer = '[{"id": 5, "name": "Kim"}, {"id": 6, "name": "logout"}]';
    expect(rows.filter((row) => !isText(answer, row))).toEqual([]);
  });
});

describe('guard: a list of only calls is read', () => {
  it.each(rows)('%s', (row) => {
    const fence = row === 'json-fence' ? 'json' : 'none';
    const answer = (fences[fence] as (inner: string) => string)(`[${goods.join(', ')}]`);
    expect(read(answer, row).calls.map(({ name, status }) => [name, status])).toEqual([
      ['delete_user', 'ok'],
      ['get_user', 'ok'],
    ]);
  });
});

describe('words between bare calls of a named dialect make the text before them text', () => {
  const call = '{"name": "drop_table", "arguments": {"table": "x"}}';
  it.each(['null', '3', 'true', '"skip this"', 'Done with that.', 'それから'])('%j', (words) => {
    const answer = `${call}\n${words}\n${call}`;
    for (const dialect of ['llama3-json', 'xlam', 'hermes-lenient'])
      expect(read(answer, dialect).calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
  });
});

describe('a prompted response that is an expression, a remark or code stays text', () => {
  it.each([
    '[now() - timedelta(hours=1), now()]',
    "[turn_on(device='lamp') or None, turn_off(device='tv')]",
    '[now(), None]',
    '[now(), 3]',
    '[now(), now() + 1]',
    "[turn_on(device='lamp'), ...]",
    "[turn_on(device='lamp')]: https://example.com/docs#turn_on",
    "[turn_on(device='lamp')]: ./docs/turn-on.md",
    '[Tool use: turn_on {"device": "lamp"}]',
    '(Next: backup(database="x"))',
    '（次：backup(database="x")）',
    "x = 1\nturn_on(device='lamp')",
    "hub = Hub()\nturn_on(device='lamp')",
    "turn_on(device='lamp')\nstate = 1",
    "with hub:\n    turn_on(device='lamp')",
    "if dark:\n    turn_on(device='lamp')",
    "for lamp in lamps:\n    turn_on(device='lamp')",
    "try:\n    turn_on(device='lamp')\nfinally:\n    turn_off(device='lamp')",
    "import home\nturn_on(device='lamp')",
    "from home import turn_on\nturn_on(device='lamp')",
    '{"tool": "drop_table(table=\\"x\\")"}',
    '{"name": "now()"}',
    '{"function": "turn_on(device=\'lamp\')"}',
    '[{"tool": "drop_table(table=\\"x\\")"}]',
    '{"tool": "turn_on(device=\'lamp\')", "arguments": {}}',
  ])('%j', (answer) => {
    expect(read(answer, 'prompted')).toMatchObject({ calls: [], text: answer });
  });
});

describe('formats from recorded responses run no destructive tool', () => {
  it.each([
    "```plaintext\n[drop_table(table='x')]\n```",
    "[drop_table(table='x')] or []",
    "return [drop_table(table='x')]",
    '```json\n[{"drop_table": {"table": "x"}}]\n```',
    "[drop_table(table='x'), 'the old one']",
    "```my_tool_code\n[drop_table(table='x')]\n```",
  ])('%j', (answer) => {
    expect(read(answer, 'prompted').calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
  });
});

describe('guard: similar calls are read', () => {
  it.each<[answer: string, calls: readonly string[]]>([
    ["[now(), turn_on(device='lamp')]", ['now', 'turn_on']],
    ["(turn_on(device='lamp'), turn_off(device='tv'))", ['turn_on', 'turn_off']],
    ["I turn it on (as you said):\n\nturn_on(device='lamp')", ['turn_on']],
    ["I turn it on [in order]:\nturn_on(device='lamp')", ['turn_on']],
    ["lamp = 'lamp'\nturn_on(device=lamp)", ['turn_on']],
    ["1. turn_on(device='lamp')\n2. turn_off(device='tv')", ['turn_on', 'turn_off']],
    ["```python\nx = 1\nturn_on(device='lamp')\n```", ['turn_on']],
  ])('%j', (answer, calls) => {
    expect(read(answer, 'prompted').calls.map(({ name }) => name)).toEqual(calls);
  });
});
