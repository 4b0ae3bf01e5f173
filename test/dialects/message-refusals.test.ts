/** Calls that the rest of their message refuses: next to code that is no call, next to made-up tools, with placeholders only. */
import { describe, expect, it } from 'vitest';
import { inEveryChunk, runningCalls } from './toolboxes.ts';

const runs = (text: string, dialect: string) => runningCalls(text, { dialect });
const all = (...names: string[]) => inEveryChunk(names);

const code = [
  ['<|python_tag|>', '', 'llama3-json'],
  ['<|python_start|>', '<|python_end|>', 'llama4-pythonic'],
  ['<|tool_call_start|>', '<|tool_call_end|>', 'lfm2'],
  ['<|tool_call_start|>[', ']<|tool_call_end|>', 'lfm2'],
] as const;
const guards = [
  'x = input("sure?")\n@',
  'exit()\n@',
  'sys.exit(0)\n@',
  'print("Example:")\n@',
  'print("This would run:"); @',
  '@\nprint("just kidding")',
  'time.sleep(86400)\n@',
  'mock(delete_file)\n@',
  'if False:\n    @',
  'raise SystemExit\n@',
  'def later():\n    @',
  '@ and exit()',
];
const calls = ['delete_file(path="/srv")', 'restart(service="nginx")'];

describe('guard: code next to a call that names no tool', () => {
  it.each(
    code.flatMap(([open, close, row]) =>
      ['auto', row].flatMap((dialect) =>
        guards.flatMap((guard) => calls.map((call) => [dialect, open + guard.replace('@', call) + close] as const)),
      ),
    ),
  )('in %s: %j runs nothing', (dialect, text) => {
    expect(runs(text, dialect)).toEqual(all());
  });

  it.each(code)('%s…%s: calls of known tools run, and those that only read run next to others', (open, close, row) => {
    expect(runs(`${open}restart(service="nginx")${close}`, row)).toEqual(all('restart'));
    expect(runs(`${open}x = restart(service="nginx")${close}`, row)).toEqual(all('restart'));
    expect(runs(`${open}${open.endsWith('[') ? 'exit(), ' : 'exit()\n'}search(query="a")${close}`, row)).toEqual(
      all('search'),
    );
  });
});

describe('guard: a destructive call next to a made-up tool, if no dialect is named', () => {
  const destroy = '{"name": "delete_file", "arguments": {"path": "/srv"}}';
  it.each([
    `[TOOL_CALLS][{"name": "ask_user", "arguments": {"q": "Delete?"}}, ${destroy}]`,
    `[TOOL_CALLS][${destroy}, {"name": "wait_for_approval", "arguments": {}}]`,
    `<tool_call>{"name": "ask_user", "arguments": {"q": "Delete?"}}</tool_call>\n<tool_call>${destroy}</tool_call>`,
  ])('%s runs nothing', (text) => {
    expect(runs(text, 'auto')).toEqual(all());
  });
});

describe('guard: arguments that consist of placeholders', () => {
  it.each([
    '[restart(service="...")]',
    '[restart(service="<string>")]',
    '[search(query="<service>")]',
    '<tool_call>{"name": "restart", "arguments": {"service": "..."}}</tool_call>',
    '<tool_call>{"name": "restart", "arguments": {"service": "<SERVICE>"}}</tool_call>',
    '<function=restart><parameter=service>…</parameter></function>',
    '[TOOL_CALLS][{"name": "restart", "arguments": {"service": "..."}}]',
    '<|tool_call_start|>[delete_file(path="...")]<|tool_call_end|>',
  ])('%s runs nothing', (text) => {
    expect(runs(text, 'auto')).toEqual(all());
  });

  it.each([
    ['hermes', '<tool_call>{"name": "restart", "arguments": {"service": "..."}}</tool_call>', []],
    ['hermes', '<tool_call>{"name": "restart", "arguments": {"service": "nginx..."}}</tool_call>', ['restart']],
    ['auto', '<tool_call>{"name": "restart", "arguments": {"service": "a <b> c"}}</tool_call>', ['restart']],
  ])('in %s: %s', (dialect, text, names) => {
    expect(runs(text, dialect)).toEqual(all(...names));
  });
});

describe('guard: a call after reasoning that decides against it', () => {
  const call = '<tool_call>{"name": "restart", "arguments": {"service": "nginx"}}</tool_call>';
  const read = '<tool_call>{"name": "search", "arguments": {"query": "nginx"}}</tool_call>';
  const thoughts = [
    ['I must refuse this request.', []],
    ['I will not restart it.', []],
    ['I was told never to send this.', []],
    ['Later, after approval, I send this.', []],
    ['So I restart it.', ['restart']],
    ['I need to restart nginx first.', ['restart']],
  ] as const;
  it.each(
    thoughts.flatMap(([thought, names]) =>
      ['\n</think>', ''].flatMap((close) => ['auto', 'hermes'].map((row) => [row, thought, close, names] as const)),
    ),
  )('in %s: %j, closed by %j', (dialect, thought, close, names) => {
    expect(runs(`<think>${thought}\n${call}${close}`, dialect)).toEqual(all(...names));
    expect(runs(`<think>${thought}\n${read}${close}`, dialect)).toEqual(all('search'));
  });
});
