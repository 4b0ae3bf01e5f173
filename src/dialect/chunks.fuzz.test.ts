import fc from 'fast-check';
import { expect, it } from 'vitest';
import { examplesOf } from '../../test/dialects/examples.ts';
import { runs } from '../../test/sample.ts';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { dialects } from './dialects/index.ts';
import { readCalls } from './read-calls.ts';

const examples = dialects.flatMap(({ name }) => examplesOf(name).map((example) => ({ dialect: name, ...example })));
const names = [...new Set(examples.flatMap(({ calls }) => calls.map(({ name }) => name)))];
const toolbox = new Toolbox(
  names.map((name) => tool({ name, description: '' })),
  { validate: false },
);
/** Every marker of the table, as it would be written. */
const markers = dialects.flatMap(({ think = [], sections = [], drop = [], forms, frame }) => [
  ...[...think, ...sections].flat(),
  ...drop,
  ...forms.flatMap(({ open, close = [], param = '' }) => [open, ...close, ...param.split('{value}')]),
  ...(frame ? [...frame.open, frame.message, ...frame.end] : []),
]);
const written = markers.map((one) => one.replace(/[~^]/g, '').replace(/\{\w+\}/g, 'x')).filter(Boolean);
const bits = [...'<>"{}[]()\'\\`\n :,', '</', '```', '|>', '<eos>', ...new Set(written)];

/** One damage: something is cut out, put in, or lost at the end. */
const damage = fc.record({ at: fc.nat(600), cut: fc.nat(12), put: fc.constantFrom('', ...bits), end: fc.boolean() });

const damaged = (
  text: string,
  { at, cut, put, end }: { at: number; cut: number; put: string; end: boolean },
): string => {
  const from = at % (text.length + 1);
  return end ? text.slice(0, text.length - cut) : text.slice(0, from) + put + text.slice(from + (put ? 0 : cut));
};

it('F7 C17 reads damaged texts the same in chunks, with and without a dialect, and never throws', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...examples),
      fc.constantFrom('', ...examples.map(({ text }) => text)),
      fc.array(damage, { maxLength: 4 }),
      fc.record({
        auto: fc.boolean(),
        known: fc.boolean(),
        reasoningOpen: fc.boolean(),
        prompted: fc.boolean(),
        hosted: fc.boolean(),
        chunk: fc.integer({ min: 1, max: 9 }),
      }),
      (example, more, damages, { auto, known, chunk, ...asked }) => {
        const text = damages.reduce(damaged, example.text + more);
        const options = { dialect: auto ? 'auto' : example.dialect, ...asked };
        const whole = readCalls(text, known ? toolbox : undefined, options);
        expect(shown(readCalls(text, known ? toolbox : undefined, { ...options, chunk }))).toEqual(shown(whole));
      },
    ),
    { numRuns: runs(1500) },
  );
});

it.each([
  ['a reasoning tag inside a name', '<function name="</think>get_weather"><param name="city">x</param></function>'],
  ['an opener that the end of reasoning cuts', 'so <tool_call></think>{"name": "get_weather", "arguments": {}}'],
  [
    'an opener after arguments without a closer',
    '[TOOL_CALLS]get_weather[ARGS]{"city": "x"}<function name="get_weather"><param name="city">y</param></function>',
  ],
  ['line breaks after a label', '<|channel>thought\n\n\nso<channel|>Hi'],
  [
    'a call in reasoning after a call',
    'Action:\n```json\n[{"tool_name": "special_function", "parameters": {"arg1": 1}}]\n```[unused16]The weather, then.' +
      '[<｜tool▁calls｜>unused17][unused11][{"name": "get_weather", "arguments": {"city": "Shenzhen"}}][unused12]',
  ],
  [
    'white space, a stray bracket and a quote after a call',
    '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Tokyo"}}]<|/tool_call|>  ]"x',
  ],
  [
    'a line break, a stray brace and quoted text after a call',
    '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Tokyo"}}]<|/tool_call|>\n}"x"',
  ],
  [
    'a marker in square brackets after a call without its closer',
    '<function_call> {"name": "get_weather", "arguments": {"city": "Tokyo"}}[TOOL_CALLS]special_function[ARGS]{"arg1":1}',
  ],
  [
    'a marker before a list of calls, after a call without its closer',
    '<tool_calls>\n{"name": "get_weather", "arguments": {"city": "x"}}[TOOL_CALLS] [{"name": "add", "arguments": {"a": 3}}]',
  ],
  [
    'a closer with white space inside',
    '<start_function_call>call:get_weather{location:<escape>London<escape>}<e nd_function_call>[{"name": "a", "arguments": {}}]',
  ],
  [
    'a closer of another dialect with white space inside',
    '<|content_invoke_tool_json|>{"name":"f","args":{"a":1}}</｜DSML｜ parameter>so<|end_message|>',
  ],
  ['an opener with a wrong bracket before the call of no tool', '<]tool_call>\n<function=get_wether\n<parameter=1>'],
  ['its own quote in another one', '<|tool_call>call:get_weather{"<|"|>}'],
])('C17 reads %s the same, wherever it is split', (_, text) => {
  for (const reasoningOpen of [true, false]) {
    for (const dialect of ['auto', ...dialects.map(({ name }) => name)]) {
      const whole = shown(readCalls(text, toolbox, { dialect, reasoningOpen }));
      for (const chunk of [1, 2, 3, 5, 7]) {
        expect(shown(readCalls(text, toolbox, { dialect, reasoningOpen, chunk })), dialect).toEqual(whole);
      }
    }
  }
});

const shown = ({ text, reasoning, dialect, calls }: ReturnType<typeof readCalls>) => ({
  text,
  reasoning,
  dialect,
  calls: calls.map(({ name, input, status, problems }) => ({
    name,
    input,
    status,
    codes: problems.map(({ code }) => code),
  })),
});
