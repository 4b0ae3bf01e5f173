/** A call that reasoning ends in, and nothing closes: it counts only behind a thought that is over, and never as a sure one. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const input = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const;
const toolbox = new Toolbox([
  tool({ name: 'set_user', description: 'Writes', effect: 'write', inputSchema: input }),
  tool({
    name: 'delete_user',
    description: 'Deletes',
    effect: 'destructive',
    minCertainty: 'inferred',
    inputSchema: input,
  }),
]);
const call = (id: number, name = 'set_user') =>
  `<tool_call>{"name": "${name}", "arguments": {"id": ${id}}}</tool_call>`;
const read = (text: string, options: object) =>
  readCalls(text, toolbox, options).calls.map(({ name, status }) => `${name} ${status}`);

const shown: readonly string[] = [
  `The page says: ${call(5)}`,
  `The page says:\n${call(5)}`,
  `I could do\n> ${call(5)}`,
  `Should I?\n${call(5)}`,
  `Should I? ${call(5)}`,
  `هل أفعل هذا؟ ${call(5)}`,
  `これを実行しますか？\n${call(5)}`,
  `Either A:\n${call(5)}\nor B:\n${call(6)}`,
  `One way.\n${call(5)}\nAnother way.\n${call(6)}`,
  `Ich sollte nicht\n${call(5)}`,
  `User: hi\nAssistant: ${call(5)}`,
  `The manual shows\n    ${call(5)}`,
  `I would never write ${call(5)}`,
  `Yazmamalıyım ${call(5)}`,
  `- option one ${call(5)}`,
  // Announced by halves: doubted, denied, quoted, led in, or of somebody else.
  `Let me not set the user\n\n${call(5)}`,
  `I'll never write this form\n\n${call(5)}`,
  `Let me see what it would be\n\n${call(5)}`,
  `Let me check whether I could run this\n${call(5)}`,
  `Let me check this:\n\n${call(5)}`,
  `Let me check the "payload" first\n\n${call(5)}`,
  `I can't do that. Let me check the form\n\n${call(5)}`,
  `I should refuse to run the call\n\n${call(5)}`,
  `I need to explain the syntax\n\n${call(5)}`,
  `The injected text was\n\n${call(5)}`,
  `A naive agent would emit\n\n${call(5)}`,
  `They told me to run this call\n\n${call(5)}`,
  `Let me check the user or\n${call(5)}`,
  `Let me check the user ${call(5)}`,
  `让我不要调用这个\n\n${call(5)}`,
  `我不应该调用它\n\n${call(5)}`,
  `Ich werde das nicht aufrufen\n\n${call(5)}`,
  `Je vais refuser cet appel\n\n${call(5)}`,
  `Let me check the user\n\n${call(5)}\n\nNo, I will ask first`,
  `Let me check the user\n\n\`${call(5)}\``,
  `Let me check the user\n\n    ${call(5)}`,
  `Let me check ${'the records of all users and then '.repeat(4)}the user\n\n${call(5)}`,
];

describe('a call quoted or considered in unclosed reasoning', () => {
  it.each(shown)('%j', (text) => {
    for (const chunk of [undefined, 1, 7]) {
      const more = chunk ? { chunk } : {};
      expect(read(`<think>${text}`, { dialect: 'hermes', ...more })).toEqual([]);
      expect(read(`<think>${text}`, more)).toEqual([]);
      expect(read(text, { dialect: 'hermes', reasoningOpen: true, ...more })).toEqual([]);
    }
  });
});

it('keeps such reasoning unchanged', () => {
  for (const text of shown) {
    const { reasoning, text: left } = readCalls(`<think>${text}`, toolbox, { dialect: 'hermes' });
    expect({ reasoning, left }).toEqual({ reasoning: text, left: '' });
  }
});

describe('guard: after a complete thought', () => {
  it.each([`I will set it now.\n${call(5)}`, `I will set it now. ${call(5)}`, `现在就做。\n${call(5)}`, call(5)])(
    '%j',
    (text) => {
      for (const chunk of [undefined, 1, 7])
        expect(read(`<think>${text}`, { dialect: 'hermes', ...(chunk && { chunk }) })).toEqual(['set_user ok']);
    },
  );
});

describe('after a line that announces it without a full stop', () => {
  it.each([
    'Let me check the time',
    "I'll set the user now",
    'The user wants id 5. Let me update it now',
    'Okay, first I need to look up the user',
    'Need to inspect the current directory',
    'Let me read src/app.py',
    '让我查一下时间',
    '好的，我来更新用户',
    'Ich werde den Nutzer abrufen',
    'Je vais vérifier le compte',
    'Voy a consultar la cuenta',
  ])('%j', (line) => {
    for (const gap of ['\n', '\n\n'])
      for (const chunk of [undefined, 1, 7]) {
        const options = { dialect: 'hermes', ...(chunk && { chunk }) };
        expect(read(`<think>${line}${gap}${call(5)}`, options)).toEqual(['set_user ok']);
        expect(readCalls(`<think>${line}${gap}${call(5)}`, toolbox, options).calls[0]?.repairs).toMatchObject([
          { kind: 'text', certainty: 'inferred' },
        ]);
        expect(read(`<think>${line}${gap}${call(5)}\nor rather not`, options)).toEqual([]);
        expect(read(`<think>${line}${gap}${call(5)}`, { ...options, truncated: true })).toEqual([]);
      }
  });
});

describe('a token that ends both calls and reasoning, if the call is only mentioned', () => {
  const written = '<|content_invoke_tool_json|>\n{"name":"set_user","args":{"id":5}}\n<|end_message|>';
  it.each([`I could run ${written} but I will ask.`, `It would be \`${written}\`, which I ask for.`])('%j', (text) => {
    for (const chunk of [undefined, 1, 3, 7]) {
      for (const [dialect, end] of [
        ['auto', '</think>'],
        ['inkling', '<|end_message|>'],
      ] as const) {
        const whole = `${text}${end}\n\nShall I?`;
        const read = readCalls(whole, toolbox, { dialect, reasoningOpen: true, ...(chunk && { chunk }) });
        expect({ ...read, dialect: '', calls: read.calls.length }).toEqual({
          text: 'Shall I?',
          reasoning: text,
          dialect: '',
          calls: 0,
        });
      }
    }
  });
});

describe('a call in an element that lists the tools', () => {
  const shownIn = (name: string) =>
    `<${name}>\n<function name="set_user">\n<param name="id">5</param>\n</function>\n</${name}>`;
  it.each([shownIn('functions'), shownIn('tools'), `The tools are:\n${shownIn('functions')}`])('%j', (text) => {
    expect(readCalls(text, toolbox, { dialect: 'minicpm5' })).toMatchObject({ calls: [], text });
  });
});
