import { describe, expect, it } from 'vitest';
import { readWithDoors as read } from '../../../test/dialects/doors.ts';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { readCalls } from '../read-calls.ts';

const call = 'close_door(door="front")';
const json = '{"name": "close_door", "arguments": {"door": "front"}}';
const gemma = '<|tool_call>call:close_door{door:<|"|>front<|"|>}<tool_call|>';
const hermes = `<tool_call>\n${json}\n</tool_call>`;
const quotes = ['""', "''", '“”', '«»', '„“', '「」', '‘’', '()', '[]'].map((pair) => [...pair]);
const fences = ['```json', '```', '~~~json'].map((open) => `${open}\n${json}\n${open.slice(0, 3)}`);

const text = (answer: string): void => {
  for (const name of ['close_door', 'find_door']) {
    const one = answer.replaceAll('close_door', name);
    expect(read(one)).toMatchObject({ calls: [], text: one });
  }
  expect(
    read(answer.replaceAll('close_door', 'unlock_door')).calls.filter(({ status }) => status !== 'invalid'),
  ).toEqual([]);
};

describe('a fence that opens after a quote or after words contains no calls', () => {
  it.each(
    quotes.flatMap(([open, close]) =>
      fences.flatMap((fence) => [
        `The guest wrote ${open}${fence}${close} at the end of the letter. I ignored it.`,
        `The letter ended with ${open}${fence}${close}`,
        `${open}${fence}${close}`,
      ]),
    ),
  )('%j', text);
  it.each([
    `The page ends with \`\`\`json\n${json}\n\`\`\``,
    `The page ends with \`\`\`json\r\n${json}\r\n\`\`\`\r\n`,
    `The page ends with "\`\`\`json\n${json}\n${json.replace('front', 'back')}\n\`\`\`"`,
    `- He wrote "\`\`\`json\n  ${json}\n  \`\`\`"`,
  ])('%j', text);
});

describe("a program that reassigns the tool's name doesn't call the tool", () => {
  it.each(
    [
      'close_door = Mock()',
      'close_door = MagicMock(return_value=True)',
      'close_door: Callable = fake.close',
      'close_door = print',
      'close_door = lambda **k: print(k)',
      'import functools\nclose_door = functools.partial(close_door, slowly=True)',
      'from doors import fake as close_door',
      'import doors.fake as close_door',
      'class Fake:\n    def close_door(self, **k): pass\n\nclose_door = Fake().close_door',
      'class close_door:\n    pass',
    ].flatMap((program) => [
      `\`\`\`python\n${program}\n\n${call}\n\`\`\``,
      `\`\`\`python\n${program}\nprint(${call})\n\`\`\``,
      `\`\`\`python\r\n${program.replaceAll('\n', '\r\n')}\r\n${call}\r\n\`\`\``,
      `${program}\n\n${call}`,
    ]),
  )('%j', text);
  it.each([
    `\`\`\`python\nclose_door = house.tools["close_door"]\n${call}\n\`\`\``,
    `\`\`\`python\nmonkeypatch.setattr(doors, "close_door", fake)\n${call}\n\`\`\``,
    `\`\`\`python\nwith patch("doors.close_door"):\n    ${call}\n\`\`\``,
    `\`\`\`python\nwith mock.patch.object(doors, 'close_door') as fake:\n    ${call}\n\`\`\``,
    `\`\`\`python\nwith fake_doors() as close_door:\n    ${call}\n\`\`\``,
    '```python\nhouse.close = Mock()\nhouse.close(door="front")\n```',
  ])('%j', text);
});

describe('a call with its result is an example', () => {
  it.each([
    `${call}\n# Output: {"ok": true}`,
    `${call}\n# Result: closed`,
    `${call}\n# -> True`,
    `${call}\n# => True`,
    `${call}  # -> None`,
    `${call} # => 3`,
    `[${call}] → 2`,
    `[${call}] → {"ok": true}`,
    `[${call}] => "closed"`,
    `${call} -> True`,
    `>>> ${call}\nTrue`,
    `>>> ${call}`,
  ])('%j', (answer) => {
    text(answer);
    text(`\`\`\`python\n${answer}\n\`\`\``);
    text(`\`\`\`python\n${answer}\nclose_door(door="back")\n\`\`\``);
  });
});

describe('a program that defines the tool or states the result runs nothing', () => {
  it.each(
    [
      `def close_door(door):\n    state[door] = "closed"\n\n${call}`,
      `async def close_door(door: str) -> bool:\n    return True\nprint(${call})`,
      `@tool\ndef close_door(door):\n    return door\n\nclosed = ${call}`,
      `${call}  # returns True`,
      `${call}  # Output: True`,
      `${call} # Result: closed`,
    ].flatMap((program) => [
      `\`\`\`python\n${program}\n\`\`\``,
      `\`\`\`python\r\n${program.replaceAll('\n', '\r\n')}\r\n\`\`\``,
      program,
    ]),
  )('%j', (answer) => {
    expect(read(answer).calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
    expect(
      read(answer.replaceAll('close_door', 'unlock_door')).calls.filter(({ status }) => status !== 'invalid'),
    ).toEqual([]);
  });
  it('reports what is wrong', () => {
    const [one] = read(`\`\`\`python\n${call}  # Output: True\n\`\`\``).calls;
    expect(one?.problems).toMatchObject([
      { code: 'mentioned', message: expect.stringContaining('send only the call') },
    ]);
  });
});

const ran = (answer: string) => read(answer).calls.filter(({ status }) => status !== 'invalid');

describe('a response that is a program instead of a list of calls runs nothing', () => {
  const programs = [
    `import doors\n\n${call}`,
    `from doors import close_door\n\n${call}`,
    `def main():\n    pass\n\n${call}`,
    `class Doors:\n    pass\n\n${call}`,
    `for name in names:\n    print(name)\n\n${call}`,
    `with open("doors.txt") as file:\n    names = file.read()\n\n${call}`,
    `try:\n    connect()\nexcept OSError:\n    pass\n\n${call}`,
  ];
  const inFences = [
    'door = "front"\nclose_door(door=door)',
    `found = find_door(door="front")\nclose_door(door=found)`,
    `${call}\ntime.sleep(3)\nclose_door(door="back")`,
    `${call}\nassert closed`,
    `door: str = "front"\n${call}`,
    `count += 1\n${call}`,
    `doors = [\n    "front",\n    "back",\n]\n${call}`,
    `@retry\ndef wait(): ...\n\n${call}`,
  ];
  it.each([
    ...programs,
    ...[...programs, ...inFences].flatMap((program) => [
      `\`\`\`python\n${program}\n\`\`\``,
      `\`\`\`py\r\n${program.replaceAll('\n', '\r\n')}\r\n\`\`\``,
      `Here's the function call:\n\n\`\`\`python\n${program}\n\`\`\``,
    ]),
    'door = "front"\nclose_door(door=door)',
    'door = "front"\n[close_door(door=door)]',
    'door = {"door": "front"}\nclose_door(**door)',
  ])('%j', (answer) => {
    expect(ran(answer)).toEqual([]);
    expect(ran(answer.replaceAll('close_door', 'unlock_door'))).toEqual([]);
  });

  it.each([
    `[${call}, close_door(door=name)]`,
    `[close_door(door=name), ${call}]`,
    `[${call}, close_door(door=find("back"))]`,
    `[${call}, close_door(door=names[0])]`,
    `[${call}, close_door(door="a" if late else "b")]`,
    `[${call} for _ in range(3)]`,
    `\`\`\`python\n[${call} for _ in range(3)]\n\`\`\``,
  ])('refuses a list with an expression: %j', (answer) => expect(ran(answer)).toEqual([]));

  it.each([
    `result = ${call}\nprint(result)`,
    `print(${call})`,
    `print("closed:", ${call})`,
    `# Close the door\n${call}`,
    `result = close_door(\n    door="front",\n)\nprint(result)`,
    `[\n    ${call},\n    close_door(door="front"),\n]`,
    `results = [\n    ${call},\n]`,
    `print(\n    ${call}\n)`,
    `return [${call}]`,
    `${call};`,
    `state: bool = ${call}`,
  ])('guard: makes calls whose results are assigned or printed: %j', (code) => {
    const calls = ran(`\`\`\`python\n${code}\n\`\`\``);
    expect(calls.length).toBeGreaterThan(0);
    for (const one of calls) expect(one).toMatchObject({ name: 'close_door', input: { door: 'front' } });
  });
});

describe('markers in a comment or in quotes are text, whatever follows them', () => {
  it.each([
    ...[gemma, hermes].flatMap((one) => [
      `Found in the page:\n\n<!--\n${one}\n-->`,
      `Found in the page:\n\n<!-- ${one} -->\n\nI left it alone.`,
      ...quotes.map(([open, close]) => `The page said: ${open}${one}${close} (not run).`),
      ...quotes.map(([open, close]) => `The page said ${open}${one}\n${one.replace('front', 'back')}${close}.`),
    ]),
    `The page said ${gemma} and more, which I leave alone.`,
    `The page said:\n${gemma} and more, which I leave alone.\n\nWhat is next?`,
    `Agent B answered "Sure, I close it.\n${hermes}"`,
  ])('%j', (answer) => expect(read(answer)).toMatchObject({ calls: [], text: answer }));
});

describe('a call next to a constant or an import is refused', () => {
  it.each(['door = "front"\nclose_door(door=door)', `import json\n${call}`])('%j', (code) =>
    expect(read(`\`\`\`python\n${code}\n\`\`\``).calls).toMatchObject([
      { name: 'close_door', input: { door: 'front' }, status: 'invalid' },
    ]),
  );
});

describe('guard: calls next to such code, fences and markers count', () => {
  it.each([
    ...fences,
    ...fences.map((fence) => `I close the door:\n\n${fence}`),
    ...fences.map((fence) => `1. ${fence}`),
    `- \`\`\`json\n  ${json}\n  \`\`\``,
    `  \`\`\`json\n  ${json}\n  \`\`\``,
    `I close "the door":\n\`\`\`json\n${json}\n\`\`\``,
    `\`\`\`python\nresult = ${call}\nprint(result)\n\`\`\``,
    `\`\`\`python\nclose_door = ${call}\n\`\`\``,
    `\`\`\`python\nclose_door = await ${call}\n\`\`\``,
    `\`\`\`tool_code\n${call}\n\`\`\``,
    `\`\`\`python\n# Close the front door\n${call}\n\`\`\``,
    `<!-- closing -->\n${call}`,
    hermes,
    gemma,
    `I close it.\n${hermes}`,
  ])('%j', (answer) =>
    expect(read(answer).calls).toMatchObject([{ name: 'close_door', input: { door: 'front' }, status: 'ok' }]),
  );
  it.each([
    `\`\`\`python\n# Output the state\n${call}\n\`\`\``,
    'close_door = force * time\n\n[close_door(door="front")]',
  ])('refuses a call under words that say something else: %j', (answer) =>
    expect(read(answer)).toMatchObject({ calls: [{ status: 'invalid' }], text: answer }),
  );
  it('ignores definitions in code that is an argument', () => {
    const write = tool({
      name: 'write',
      description: 'Writes',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    });
    const answer = 'write(text="""\ndef write(x):\n    pass\nwrite = Mock()\n""")\nwrite(text="b")';
    const { calls } = readCalls(answer, new Toolbox([write]), { prompted: true });
    expect(calls.map(({ status }) => status)).toEqual(['ok', 'ok']);
  });
  it('reports a truncated call as truncated', () => {
    expect(read('close_door{"door": "fro').calls).toMatchObject([{ status: 'invalid' }]);
    expect(read('<tool_call>{"name": "close_door", "arguments": {"door": "fro').calls).toMatchObject([
      { status: 'invalid' },
    ]);
  });
});

describe("a call that is an argument of another function doesn't count", () => {
  const check = (answer: string): void => {
    for (const name of ['close_door', 'find_door', 'unlock_door'])
      expect(
        read(answer.replaceAll('close_door', name)).calls.filter(
          (one) => one.status !== 'invalid' && one.name === name,
        ),
      ).toEqual(name === 'find_door' && answer.startsWith('[find') ? expect.anything() : []);
  };

  it.each([
    `[dry_run(${call})]`,
    `[schedule(${call}, at="18:00")]`,
    `[undo(later(${call}))]`,
    `[find_door(door="back"), dry_run(${call})]`,
    `Sure.\n\n[undo(${call})]`,
    `dry_run(${call})`,
    `\`\`\`python\ndry_run(${call})\n\`\`\``,
  ])('%j', check);

  it.each([`<|tool_call_start|>[dry_run(${call})]<|tool_call_end|>`, `<|python_start|>dry_run(${call})<|python_end|>`])(
    'guard: between markers: %j',
    check,
  );

  it('guard: print around the calls is removed', () => {
    expect(read(`[print(${call})]`).calls).toMatchObject([{ name: 'close_door', input: { door: 'front' } }]);
  });
});

describe('a name before its arguments is inferred', () => {
  it.each([
    'unlock_door: {"door": "front"}',
    'unlock_door {"door": "front"}',
    'unlock_door: {"door": "front"}\nunlock_door: {"door": "back"}',
  ])('%j', (answer) => {
    expect(read(answer).calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
    for (const { repairs } of read(answer.replaceAll('unlock_door', 'close_door')).calls)
      expect(repairs).toMatchObject([{ kind: 'text', certainty: 'inferred' }]);
  });
});
