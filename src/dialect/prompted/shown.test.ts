import { describe, expect, it } from 'vitest';
import { doors, readWithDoors as read } from '../../../test/dialects/doors.ts';
import { readCalls } from '../read-calls.ts';

const call = 'close_door(door="front")';
const json = '{"name": "close_door", "arguments": {"door": "front"}}';
const marked = `<tool_call>${json}</tool_call>`;
const destructive = (text: string) => text.replaceAll('close_door', 'unlock_door');
const forms = [call, `[${call}]`, json, `[${json}]`, marked];

describe.each<[what: string, answers: readonly string[]]>([
  [
    'an element that no dialect writes around calls',
    [
      'rejected_call',
      'forbidden_calls',
      'denied_call',
      'example_call',
      'previous_call',
      'undo_action',
      'no_tool_call',
      'call_log',
      'tool_response',
      'tool_result',
      'function_response',
      'tools',
      'functions',
      'expected_json',
    ].flatMap((name) => forms.flatMap((one) => [`<${name}>${one}</${name}>`, `<${name}>\n${one}\n</${name}>`])),
  ],
  [
    'such an element further off',
    [
      `<rejected_call reason="policy">\n${call}\n</rejected_call>`,
      `<rejected_call>\n\n${call}\n\n</rejected_call>`,
      `<rejected_calls>\n${call}\nclose_door(door="back")\n</rejected_calls>`,
      `<tool_response>\n${call}`,
      `<|tool_response|>\n${call}`,
    ],
  ],
  [
    'a quotation or brackets around a fence, or words and markers,',
    ['""', "''", '()', '[]', '“”', '«»', '「」'].flatMap(([open, close], at) => [
      `The essay ended with ${open}\`\`\`json\n${json}\n\`\`\`${close}, which I ignored.`,
      `The essay ended with ${open}\`\`\`json\n${json}\n\`\`\`${close}`,
      ...(at < 4 ? [`It answered ${open}Sure, at once.\n<tool_call>\n${json}\n</tool_call>${close}`] : []),
    ]),
  ],
  ['inline code behind a lead-in', forms.flatMap((one) => [`Format:\n\n\`${one}\``, `Example:\n\n\`\`\`${one}\`\`\``])],
  [
    'a string in code',
    [
      `EXAMPLES = [\n    '${marked}',\n]`,
      `const EXAMPLES = [\n  '${marked}',\n  '${marked}'\n];`,
      `[\n  '${marked}'\n]`,
    ],
  ],
  [
    'a marker in code',
    [
      `Example:\n\n    ${marked}`,
      `Example:\n\n\t${marked}`,
      `\`\`\`python\n${marked}\n\`\`\``,
      `\`\`\`py\n${marked}\n\`\`\``,
    ],
  ],
  [
    'prose behind it and before it, in a fence or without a blank line',
    [
      `The call would be:\n\n\`\`\`json\n[${call}]\n\`\`\`\n\nNothing has been executed, I am waiting for your approval.`,
      `It would be:\n\n\`\`\`\n[${call}]\n\`\`\`\n\nI have left the door as it is, since nobody has confirmed that it may be closed.`,
      `Expected:\n  [${call}]\nGot:\n  nothing`,
      `Before:\n[${call}]\nAfter:\n[]`,
    ],
  ],
  [
    'one short line behind it',
    [
      `调用如下：\n\n[${call}]\n\n我没有执行。`,
      `[${call}]\n\nResponda "sim" para confirmar.`,
      `${call}\n\nNon ho eseguito nulla, attendo la conferma.`,
      `${call}\n\nIch habe die Tür noch nicht geschlossen und warte auf Ihre Freigabe, bevor ich etwas tue.`,
      `La llamada sería:\n\n[${call}]\n\nTodavía no la he ejecutado, espero su permiso.`,
    ],
  ],
])('%s makes a call text', (_what, answers) => {
  it.each(answers)('%j', (answer) => {
    expect(read(answer)).toMatchObject({ calls: [], text: answer });
    expect(read(destructive(answer)).calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
  });
});

describe('code, emphasis and quotations never run a destructive tool', () => {
  it.each(['`', '```', '*', '**'].flatMap((mark) => [call, `[${call}]`].map((one) => mark + one + mark)))(
    '%s',
    (answer) => {
      expect(read(destructive(answer)).calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
      const [one] = read(answer).calls;
      if (one) expect(one.repairs.map(({ certainty }) => certainty)).toContain('inferred');
    },
  );
  it.each([`['${call}']`, `[\n  '${call}'\n]`])('%s', (answer) => {
    expect(read(destructive(answer)).calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
    expect(read(answer).calls).toMatchObject([{ input: { door: 'front' } }]);
  });
});

describe('guard: markers of dialects around calls', () => {
  it.each([
    marked,
    `<tool_calls>\n[${json}]\n</tool_calls>`,
    `<function_call>${json}</function_call>`,
    `<tool_call>\n${call}\n</tool_call>`,
    `<answer>\n${call}\n</answer>`,
    `<|start_header_id|>${call}`,
    `${call}<|im_end|>`,
    `\`\`\`json\n${json}\n\`\`\``,
    `\`\`\`tool_code\n${call}\n\`\`\``,
  ])('%s', (answer) => {
    expect(read(answer).calls).toMatchObject([{ input: { door: 'front' } }]);
    expect(read(destructive(answer)).calls).toMatchObject([{ input: { door: 'front' } }]);
  });

  it.each([
    'close_door(door="<b>x</b>")',
    `I close <b>the front door</b>.\n\n${call}`,
    `The size is < 3. I close the door.\n\n${call}`,
    `\`${call}\``,
    `[${call}]\n\nThis closes the front door, which is the only one that was left open.`,
    `I close it:\n\n[${call}]\n\nThe call names the front door, since that is the one that was left open today.`,
    `\`\`\`python\n${call}\n\`\`\`\nThis closes the front door.`,
  ])('%s', (answer) => {
    expect(read(answer).calls).toHaveLength(1);
  });
});

describe('inline code is text if a dialect is named', () => {
  it.each([
    ['', 'llama3-json'],
    ['guard: ', 'json-array'],
    ['guard: ', 'granite3'],
  ])('%s%s', (_, dialect) => {
    for (const one of [json, `[${json}]`].flatMap((held) => [`\`\`\`${held}\`\`\``, `\`\`\` ${held} \`\`\``]))
      expect(readCalls(one, doors, { dialect })).toMatchObject({ calls: [], text: one });
  });
  it('guard: pythonic', () => {
    const one = `\`\`\`[${call}]\`\`\``;
    expect(readCalls(one, doors, { dialect: 'pythonic' })).toMatchObject({ calls: [], text: one });
  });
});

it.each(['json-array', 'llama3-json', 'json-fence'])('guard: a fence contains calls of %s', (dialect) => {
  for (const one of [`\`\`\`\n[${json}]\n\`\`\``, `\`\`\`json\n[${json}]\n\`\`\``, `\`\`\` \r\n[${json}]\r\n\`\`\``])
    expect(readCalls(one, doors, { dialect }).calls).toMatchObject([{ input: { door: 'front' } }]);
});

it('treats a question in the first line, right before a marker, as a question about the call', () => {
  const asked = `What should I answer?${marked}`;
  expect(readCalls(asked, doors, { dialect: 'hermes' })).toMatchObject({ calls: [], text: asked });
});
