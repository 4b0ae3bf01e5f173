import { describe, expect, it } from 'vitest';
import { doors, readWithDoors as read } from '../../../test/dialects/doors.ts';
import { readCalls } from '../read-calls.ts';

const names = ['find_door', 'close_door', 'unlock_door'];

const given = '{"door": "front"}';
const labelled = [
  `Action: close_door\nAction Input: ${given}`,
  `Thought: I close it.\nAction: close_door\nAction Input: ${given}`,
  `Tool: close_door\nArguments: ${given}`,
  `**Function:** close_door\n**Parameters:** ${given}`,
  `close_door\nInput: ${given}`,
];
const objects = [`{"name": "close_door", "arguments": ${given}}`, `[{"name": "close_door", "arguments": ${given}}]`];
const others = [...objects, 'close_door(door="front")', '[close_door(door="front")]'];
const forms = [...labelled, ...others];
const tagged = '<close_door>\n<door>front</door>\n</close_door>';

type Wrap = (text: string) => string;
const lines =
  (prefix: string, first = prefix): Wrap =>
  (text) =>
    first + text.replaceAll('\n', `\n${prefix}`);
const between =
  (open: string, close: string): Wrap =>
  (text) =>
    open + text + close;
const fence = (language: string): Wrap => between(`\`\`\`${language}\n`, '\n```');
const element = (name: string): Wrap => between(`<${name}>\n`, `\n</${name}>`);

/** Places where a call never stands, whatever its form. */
const places: Readonly<Record<string, readonly Wrap[]>> = {
  'a blockquote': [lines('> '), lines('>'), lines('> > '), lines('  > ', '- > '), between('> The log:\n', '')],
  'an HTML comment': [between('<!--\n', '\n-->'), between('<!-- ', ' -->'), between('It is closed. <!--\n', '\n-->')],
  'a string literal': [
    between('prompt = """\n', '\n"""'),
    between("prompt = '''", "'''"),
    between('const prompt = `\n', '\n`;'),
    between('const prompt = `', '`;'),
    between('“', '”'),
    between('He wrote "', '" to me.'),
  ],
  'inline code': [between('It reads `', '` there.'), between('It reads ``', '`` there.')],
  'a fence of another language': ['yaml', 'log', 'diff', 'text', 'bash', 'console'].map(fence),
  'a difference': [lines('+'), lines('+ '), (text) => fence('diff')(lines('+')(text))],
  'a list of events': [lines('  ', '- 10:32 ')],
  'a comment of code': [lines('// '), lines('# '), lines('-- '), between('/*\n', '\n*/')],
  'a result': [...['tool_response', 'result', 'observation'].map(element), between('<tool_response>\n', '')],
  'another element': ['pre', 'document', 'log'].map(element),
  'another block': [
    between('[quote]\n', '\n[/quote]'),
    between('{code}\n', '\n{code}'),
    between(':::note\n', '\n:::'),
    between('cat <<EOF\n', '\nEOF'),
    between('\\begin{verbatim}\n', '\n\\end{verbatim}'),
    (text) => `prompt: |\n${lines('  ')(text)}`,
    (text) => `The log::\n\n${lines('  ')(text)}`,
  ],
  'a table': [lines('| ')],
  'an indented block': [lines('    '), lines('\t')],
};

/** The same, with the forms that were text there before. */
const partly: readonly (readonly [place: string, wraps: readonly Wrap[], before: readonly string[]])[] = [
  ['a string of JSON', [(text) => `{"log": ${JSON.stringify(text)}}`], [...labelled, ...objects]],
  ['a log', [lines('[2026-01-01 10:00:00] '), lines('2026-01-01 10:00:00 INFO ')], labelled],
  ['a listing with line numbers', [lines('12: '), lines('12→'), lines('a/log.txt:12:')], labelled],
];

const leads = ['', 'I close the door.\n\n', 'Here is the function call:\n\n', 'The log says:\n\n'];

const expectText = (shown: string): void => {
  for (const lead of leads)
    for (const name of names) {
      const answer = (lead + shown).replaceAll('close_door', name);
      expect(read(answer)).toMatchObject({ calls: [], text: answer });
    }
};
const cross = (some: readonly string[], wraps: readonly Wrap[]): string[] =>
  some.flatMap((form) => wraps.map((wrap) => wrap(form)));

describe.each(Object.entries(places))('a call in %s is text', (_, wraps) => {
  it.each(cross(forms, wraps))('%j', expectText);
});

describe.each(partly)('a call in %s is text', (_, wraps, before) => {
  const since = forms.filter((form) => !before.includes(form));
  it.each(cross(since, wraps))('%j', expectText);
  it.each(cross(before, wraps))('guard: %j', expectText);
});

const all = [...Object.entries(places), ...partly.map(([place, wraps]) => [place, wraps] as const)];
describe.each(all)('guard: a call in tags in %s is text', (_, wraps) => {
  it.each(cross([tagged], wraps))('%j', expectText);
});

it.each(labelled)('labelled lines in a Python fence are text: %j', (form) => {
  for (const lead of leads)
    for (const name of names) {
      const answer = (lead + fence('python')(form)).replaceAll('close_door', name);
      expect(read(answer)).toMatchObject({ calls: [], text: answer });
    }
});

it.each(labelled.slice(0, 4))('quotes or brackets around labelled lines make them text: %j', (form) => {
  for (const [open, close] of ['""', "''", '“”', '()', '[]', '``'].map((pair) => [...pair]))
    for (const answer of [`${open}${form}${close}`, `I close the door.\n\n${open}${form}${close}`])
      expect(read(answer)).toMatchObject({ calls: [], text: answer });
});

describe('guard: the same calls on lines of their own', () => {
  it.each(forms)('%j', (form) => {
    const isThought = form.startsWith('Thought');
    for (const lead of isThought ? [''] : leads.slice(0, 3))
      for (const held of [form, ...['', 'json', 'tool_code'].map((language) => fence(language)(form))])
        expect(read(lead + held).calls).toMatchObject([{ name: 'close_door', input: { door: 'front' } }]);
  });
  it.each([
    '[close_door(door="front")] + [close_door(door="back")]',
    '[close_door(door="front")\n  | close_door(door="back")]',
    'close_door(door="front")\n    close_door(door="back")',
    '[`close_door(door="front")`, `close_door(door="back")`]',
    '- close_door(door="front")\n- close_door(door="back")',
  ])('%j', (answer) => {
    expect(read(answer).calls.map(({ name }) => name)).toContain('close_door');
  });
});

describe('reasoning that nothing opened', () => {
  const call = 'close_door(door="front")';
  it.each([
    ['find_door(door="back")\n</think>\n', call],
    ['I close it.\n</think>\n\n', `[${call}]`],
    ['Hm.\n</THINK>\n', `{"name": "close_door", "arguments": ${given}}`],
  ])('only counts the calls after it: %j', (thought, made) => {
    const { calls, text } = read(thought + made);
    expect(calls).toMatchObject([{ name: 'close_door', status: 'ok', input: { door: 'front' } }]);
    expect(text.trim()).toBe(thought.trim());
    expect(read((thought + made).replaceAll('close_door', 'unlock_door')).calls).toMatchObject([{ status: 'invalid' }]);
  });
  it.each([`The tag is \`</think>\`.\n${call}`, `> </think>\n\n${call}`])(
    'guard: a quoted tag ends none: %j',
    (answer) => expect(read(answer)).toMatchObject({ calls: [], text: answer }),
  );
  const marked = (door: string) =>
    `<tool_calls>[{"name": "close_door", "arguments": {"door": "${door}"}}]</tool_calls>`;
  it.each(['</THINK>', '</Think>', '</think>'])('ends at %s in every dialect', (closer) => {
    const text = `Hm.\n${marked('back')}\n${closer}\n${marked('front')}`;
    for (const options of [{}, { prompted: true }])
      expect(readCalls(text, doors, options).calls).toMatchObject([{ input: { door: 'front' } }]);
  });
});
