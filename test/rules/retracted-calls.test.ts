/** Words that deny, defer or condition a call at the end of a message: if no dialect is named, tools that write aren't called. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const properties = { id: { type: 'integer' }, day: { type: 'string' }, note: { type: 'string' } } as const;
const inputSchema = { type: 'object', properties, required: ['id'] } as const;
const boxOf = (effect: 'read' | 'write') =>
  new Toolbox([tool({ name: 'close_ticket', description: 'Closes a ticket', effect, inputSchema })]);
const [writes, reads] = [boxOf('write'), boxOf('read')];
const call = (input: object): string =>
  `<tool_call>${JSON.stringify({ name: 'close_ticket', arguments: input })}</tool_call>`;
const react = 'Action: close_ticket\nAction Input: {"id": 4}';

const read = (
  written: string,
  options: { readonly dialect?: string; readonly prompted?: boolean } = {},
  box = writes,
) => {
  const [whole, ...others] = [undefined, 1, 7].map((chunk) => {
    const { calls } = readCalls(written, box, { ...options, ...(chunk && { chunk }) });
    return calls.some(({ status }) => status !== 'invalid');
  });
  for (const other of others) expect(other).toBe(whole);
  return whole;
};

const put = [
  "I won't do it:",
  "I won't close the ticket.",
  'I am not going to run this:',
  'I refuse to run this.',
  'Do not run this:',
  "Don't do this:",
  'Never call it like this:',
  'I will not run it, as the page asks:',
  'The attacker wants me to send:',
  'For example:',
  'The wrong call was:',
  'An example would be:',
  'Bob would have sent:',
  'He was told to send:',
  "I'll close it next Monday:",
  "I'll close it next Monday.",
  'Tomorrow I will do this.',
  'We close it on Friday.',
  "I'll close it in two hours.",
  "I'm going to close it after lunch.",
  "I'll close it at 5 pm:",
  'Not yet, but later I run:',
  'Once you confirm, I would run:',
  'If you agree, I send this.',
  'I can close it once Bob signs.',
  'I would run this:',
  "When you are ready, I'll send this.",
  "When you say so, I'll send it.",
  'If you think so, I close it:',
  'As soon as you approve, I run this:',
  "I'd close it like this.",
  'Unless you object:',
  'I could close it with this call:',
  'The ticket is old, and if you agree I close it:',
];

describe('is not made after words that deny or defer it', () => {
  it.each(put)('%j', (said) => {
    for (const options of [{}, { prompted: true }])
      for (const between of ['\n', '\n\n', ' ']) expect(read(said + between + call({ id: 4 }), options)).toBe(false);
  });

  it.each(put)('guard: a tool that only reads, and a named dialect: %j', (said) => {
    expect(read(`${said}\n${call({ id: 4 })}`, {}, reads)).toBe(true);
    expect(read(`${said}\n${call({ id: 4 })}`, { dialect: 'hermes' })).toBe(true);
  });
});

describe('guard: is made after other words', () => {
  it.each([
    "I'll close the ticket now.",
    'Closing the ticket.',
    'Sure!',
    'Let me do that.',
    'Here is the call:',
    'At once:',
    "It isn't resolved, so I close it.",
    'The ticket was open, so I close it:',
    'There is no reply, I close it now:',
    "I couldn't find another one, so I'll close this:",
    'Unfortunately the first try had no effect.',
    'It was open before.',
    'The meeting is on Monday.',
    'Let me check if it is closed:',
    "No problem, I'll close it.",
    "I'd like to close it now.",
    "It isn't resolved and so I close it.",
    "It couldn't be solved, so, I close it:",
    'I close it after checking the notes.',
    'Here is some text before the tool call:',
    'This should do it.',
    'The server was down when I looked, so I close it:',
    'You said not to wait. Closing it:',
  ])('%j', (said) => {
    expect(read(`${said}\n${call({ id: 4 })}`)).toBe(true);
  });

  it.each([
    ["I'll close it on Monday:", { id: 4, day: 'Monday' }],
    ["I'll close it next Monday:", { id: 4, day: '2026-11-23' }],
    ["I'll set it to close tomorrow.", { id: 4, note: 'tomorrow' }],
  ])('with a time that is an argument: %j', (said, input) => {
    expect(read(`${said}\n${call(input)}`)).toBe(true);
  });

  const times = [
    'tomorrow',
    'tomorrow at 9:00',
    'on Monday',
    'Mon, 23 Nov 2026',
    'November 23, 2026',
    '23.11.2026',
    '2026-11-23',
    '2026-11-23T09:00:00+01:00',
    '2026-11-23 09:00',
    '9 PM',
    '21:00',
    '9:00-10:00 UTC',
    '0 9 * * 1',
    'daily',
  ].map((note) => ({ id: 4, note }));
  it.each([
    ...times,
    { remindAt: 1795222800 },
    { remind_at: 1795222800000 },
    { hour: 7, minute: 30 },
    { month: 11, day: 20 },
    { start: { dateTime: '2026-11-20T09:00:00Z' } },
    { posts: [{ text: 'a', publish_at: '2026-11-20' }] },
  ])('with a field that holds a time: %j', (more) => {
    expect(read(`I'll close it tomorrow.\n${call({ ...more, id: 4 })}`)).toBe(true);
  });

  it.each([
    ["I'll remind you in 5 minutes.", { id: 4, minutes: 5 }],
    ["I'll remind you in two hours.", { id: 4, delayHours: 2 }],
    ["I'll remind you in 2 hours.", { id: 4, delay: '2 hours' }],
    ["I'll set it for after lunch:", { id: 4, when: 'after lunch' }],
    ["I'll add a hook that runs before a save:", { id: 4, event: 'before_save' }],
    ["I'll send tomorrow's agenda now.", { id: 4, note: 'Agenda' }],
  ])('with an amount, a time in words, or a name: %j', (said, input) => {
    expect(read(`${said}\n${call(input)}`)).toBe(true);
  });
});

describe('is not made at another time because of a word in its arguments', () => {
  const notes = [
    'What time works?',
    'The date is fixed.',
    'Updated schedule attached.',
    'The deadline moved.',
    'Lunch at noon?',
    'Rent is due',
    'Wrong time zone',
    'Login broken',
    'See you soon',
    'Tomorrow?',
    'Due date',
    'Start here',
    'When?',
    'If only',
    'Later!',
    'At 9?',
    'Every day counts',
    'Monday report',
    'Meeting at 9',
    'report-2026-11-20',
    '1.2.34',
  ];
  it.each(notes)('%j', (note) => {
    for (const said of [
      "Tomorrow morning at nine I'll send this:",
      "I'll send it tomorrow.",
      "I'll send it in an hour.",
      "I'll send it at 9 pm.",
      "I'll open it next week.",
      "I'll send it when you are ready:",
      "I'll send it if you agree.",
      'Later I send this:',
      "I'll send it on Monday:",
    ])
      for (const options of [{}, { prompted: true }])
        expect(read(`${said}\n${call({ id: 4, note })}`, options), said).toBe(false);
  });

  it.each([
    { phone: '4155550123' },
    { timeout: 30 },
    { timeout_minutes: 10 },
    { duration: '2 hours' },
    { date: '' },
    { start: 1, end: 20 },
    { time_zone: 'UTC' },
    { timezone: 'Europe/Oslo' },
    { format: 'a' },
  ])('with a field that holds no time: %j', (more) => {
    for (const said of ["I'll close it tomorrow.", "I'll close it in an hour."])
      expect(read(`${said}\n${call({ id: 4, ...more })}`)).toBe(false);
  });
});

describe('labelled lines: is not made after a thought that denies or defers it', () => {
  it.each([
    "I won't close it.",
    'I should not do this without approval.',
    'Once the user confirms, I will run it.',
    "I'll do it tomorrow.",
    'The user must confirm it first',
    'If the user agrees, I close it.',
    'I would close it like this.',
  ])('%j', (thought) => {
    for (const options of [{}, { prompted: true }]) expect(read(`Thought: ${thought}\n${react}`, options)).toBe(false);
    expect(read(`Thought: ${thought}\n${react}`, { prompted: true }, reads)).toBe(true);
  });

  it.each([
    'I need to close it.',
    'Do I need to use a tool? Yes',
    'I should close ticket 4 now',
    'It is done. I close it.',
    'The ticket was not closed yet, so I need to close it.',
    "The user can't wait. I have to close it.",
  ])('guard: %j', (thought) => {
    for (const options of [{}, { prompted: true }, { dialect: 'react' }])
      expect(read(`Thought: ${thought}\n${react}`, options)).toBe(true);
  });
});
