/** Prompted: words after a call may take it back, so that only calls follow a call that runs. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

type Effect = 'read' | 'write' | 'destructive';
const properties = { ticket_id: { type: 'string' } };
const boxOf = (effect: Effect) =>
  new Toolbox(
    ['close_ticket', 'move_ticket'].map((name) =>
      tool({ name, description: name, effect, inputSchema: { type: 'object', properties, required: ['ticket_id'] } }),
    ),
  );
const read = (written: string, effect: Effect = 'write') => readCalls(written, boxOf(effect), { prompted: true });
const ran = (written: string, effect: Effect = 'write') =>
  read(written, effect).calls.flatMap(({ name, status }) => (status === 'invalid' ? [] : [name]));

const python = 'close_ticket(ticket_id="77")';
const other = 'move_ticket(ticket_id="78")';
const fenced = (code: string, language = 'python') => `\`\`\`${language}\n${code}\n\`\`\``;
const shapes = [
  `[${python}]`,
  python,
  fenced(python),
  fenced(`[${python}]`),
  `Here is the function call:\n\n[${python}]`,
];

const words = [
  'This closes ticket 77. I did not execute it.',
  'This closes the wrong ticket, so never write it.',
  'This closes the ticket you asked me not to close.',
  'This code closes ticket 77; put it in your notebook.',
  'This closes ticket 77. Das ist nur ein Beispiel.',
  'It closes the ticket if the script is started with --close.',
  'This closes ticket 77. Save it as close.py and run it.',
  'This function call closes the ticket 77.',
  'The function takes the number of the ticket. Run it when you are ready.',
  'This will close ticket 77 as soon as Anna agrees.',
  'This call closes the ticket that the phishing mail named.',
  'Explanation: the function closes a ticket, which the customer forbade.',
  'Note that the `ticket_id` is made up.',
  'Done.',
  'def main():\n    pass',
  'Cette ligne ferme le ticket 77.',
  '❌',
];

describe('a call with words after it does not run, and the text stays', () => {
  it.each(words.flatMap((one) => shapes.map((shape) => `${shape}\n\n${one}`)))('%j', (answer) => {
    for (const effect of ['read', 'write', 'destructive'] as const) {
      expect(ran(answer, effect)).toEqual([]);
      expect(read(answer, effect).text).toBe(answer);
    }
  });
  it.each([`[${python}]  # closes it`, fenced(`${python}  # not now`), fenced(`r = ${python}\nprint("not run", r)`)])(
    '%j',
    (answer) => {
      expect(ran(answer)).toEqual([]);
    },
  );
});

describe('words between calls are one line that leads in the next', () => {
  it.each([
    `[${python}]\n\nThis closes the ticket that you wanted to keep.\n\n[${other}]`,
    `[${python}]\n\nThis closes the ticket. It needs a yes.\n\nFor the other one:\n\n[${other}]`,
    `${fenced(python)}\nThis closes the ticket.\n${fenced(other)}`,
    fenced(`${python}  # left out\n${other}`),
  ])('%j', (answer) => {
    expect(ran(answer)).toEqual([]);
  });
});

describe('guard: a lead-in, labels, numbers and printed results', () => {
  it.each([
    [`[${python}]`, 1],
    [`Here is the function call:\n\n[${python}]\n`, 1],
    [`1. ${python}\n2. ${other}`, 2],
    [
      `Here are the function calls:\n\n1. For the first ticket:\n${fenced(python)}\n\n2. For the second ticket:\n${fenced(other)}`,
      2,
    ],
    [fenced(`first = ${python}\nprint(first)\nsecond = ${other}\nprint(second)`), 2],
    [fenced(`print(${python})`, 'tool_code'), 1],
  ])('%j', (answer, count) => {
    expect(ran(answer)).toHaveLength(count);
  });
});
