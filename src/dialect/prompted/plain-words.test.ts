/** Before a call to a tool that writes, every word must be harmless or belong to the call. */
import { describe, expect, it } from 'vitest';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { readCalls } from '../read-calls.ts';

type Effect = 'read' | 'write' | 'destructive';
const made = (name: string, description: string, keys: readonly string[], effect: Effect) =>
  tool({
    name,
    description,
    effect,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
      required: keys.slice(0, 1),
    },
  });
const boxOf = (effect: Effect) =>
  new Toolbox([
    made('close_ticket', 'Closes a ticket of a customer. Asks the customer for feedback.', ['ticket_id'], effect),
    made('transferMoney', 'Sends money to an account, on a weekday', ['account', 'amount'], effect),
    made('cancel_order', 'Cancels an order', ['order'], effect),
    made('book_room', 'Reserves a meeting room', ['room', 'day'], effect),
    made('lights.turn_off', 'Switch off the lights of a house', ['house'], effect),
  ]);
const toolbox = boxOf('write');
const calls = {
  close: 'close_ticket(ticket_id="T-12")',
  pay: 'transferMoney(account="Savings", amount="50")',
  book: 'book_room(room="Blue", day="Monday")',
  cancel: 'cancel_order(order="A-1")',
  dark: 'lights.turn_off(house="Seaview")',
} as const;
type Row = readonly [call: keyof typeof calls, lead: string];

const shapesOf = (call: string): readonly string[] => [
  call,
  `[${call}]`,
  `\`\`\`\n${call}\n\`\`\``,
  `\`\`\`python\n${call}\n\`\`\``,
  `\`\`\`tool_code\nprint(${call})\n\`\`\``,
];
const read = (answer: string, tools = toolbox, context: readonly { role: string; content: string }[] = []) => {
  const { calls, text } = readCalls(answer, tools, { prompted: true, context });
  return calls.length === 0 ? (text === answer ? 'text' : 'changed') : calls.map(({ status }) => status).join();
};

const runs: readonly Row[] = [
  ['close', "I'll close the ticket:"],
  ['close', "I'll close ticket T-12 now."],
  ['close', "Sure! I'm going to close this customer's ticket."],
  ['close', 'Let me call the function for closing tickets:'],
  ['close', "Okay, let's proceed with the function call:"],
  ['close', 'To close the ticket, I will call `close_ticket` with the ticket_id T-12:'],
  ['close', "I'll close the ticket as you asked:"],
  ['close', 'Based on your request, the function call should be:'],
  ['close', "I can help you with that. I'll use the `close_ticket` tool:"],
  ['pay', "I'll transfer 50 to the account Savings:"],
  ['pay', 'I will send the amount of 50 to Savings now:'],
  ['pay', 'Here is the function call to send the money:'],
  ['book', "I'll book the blue room for Monday:"],
  ['book', 'Here is the function call to book the meeting room Blue:'],
  ['cancel', "I'll cancel the order A-1:"],
  ['cancel', 'Here is the function call to cancel the order:'],
  ['dark', "I'll turn off the lights in Seaview:"],
  ['dark', 'Let me turn the lights off:'],
  ['dark', 'I will invoke the following function:'],
];

const refused: Readonly<Record<string, readonly Row[]>> = {
  'another time': [
    ['close', "I'll close the ticket next Wednesday:"],
    ['close', 'I will close the ticket within the hour.'],
    ['close', "I'll close this at 12:"],
    ['close', 'I close this ticket on the last weekday of a month:'],
    ['close', 'I will close the ticket during the maintenance window:'],
    ['pay', "I'll transfer the money at dawn:"],
    ['pay', 'I will send 50 to Savings on a weekday:'],
    ['pay', 'Let me send the money by Christmas:'],
    ['book', "I'll book the blue room for Tuesday:"],
    ['book', 'I will book the room Blue in spring:'],
    ['dark', "I'll turn off the lights at sunrise:"],
    ['dark', "I'll turn off the lights in 10 minutes:"],
  ],
  'a condition': [
    ['close', "I'll close the ticket provided the customer is happy:"],
    ['close', 'I will close the ticket given a second opinion:'],
    ['close', "I'll close the ticket barring objections:"],
    ['pay', 'I will transfer 50 contingent on the audit:'],
    ['pay', "I'll send the money on condition of anonymity:"],
    ['book', "I'll book the blue room in the event of rain:"],
    ['dark', "I'll turn off the lights in case of a fire:"],
    ['dark', 'Given good weather, I will turn off the lights:'],
  ],
  'a request for permission': [
    ['close', "I'll close the ticket with your blessing:"],
    ['close', 'Let me get a green light for this:'],
    ['close', "I'll check with Mira:"],
    ['pay', "I'll send the money with the board's nod:"],
    ['pay', 'Let me find out who signs for this:'],
    ['dark', "I'll turn off the lights by leave of the owner:"],
  ],
  'a denial': [
    ['close', "I'll pass on closing the ticket:"],
    ['close', 'I will close the door on this idea:'],
    ['close', "I'll change the plan and keep the ticket:"],
    ['pay', "I'll turn down the transfer."],
    ['pay', 'I will send the money back:'],
    ['pay', 'Let me get out of transferring money:'],
    ['book', "I'll save the blue room for others:"],
    ['dark', 'I will save us from turning off the lights:'],
  ],
  'something else': [
    ['close', 'Let me plan the steps:'],
    ['close', "I'll close with this:"],
    ['close', 'Let me close this question:'],
    ['cancel', "I'll order this:"],
    ['cancel', 'Here is the function call to order this:'],
    ['cancel', 'To order this, I will call the function:'],
    ['close', "I'll provide the customer's words:"],
    ['close', "I'll make a call to the customer:"],
    ['close', 'I will set up a meeting:'],
    ['pay', "I'll find a cheaper way than this:"],
    ['pay', "I'll send Mira the draft of this transfer:"],
    ['book', 'Let me address the elephant in the room:'],
    ['dark', "I'll start with the lights of the neighbours:"],
  ],
  'words in quotes, brackets, tags and comments': [
    ['close', 'I\'ll close the ticket "next week":'],
    ['close', "I'll close the ticket `next_week`:"],
    ['close', "I'll close the ticket (next week):"],
    ['close', "I'll close the ticket <next week>:"],
    ['close', "<!-- I'll close it next week -->\n\nHere is the function call:"],
    ['pay', "I'll transfer the money 🚫:"],
  ],
  'the purpose, or a sentence before the announcement': [
    ['close', 'To please the auditors, I will call `close_ticket`:'],
    ['close', 'Based on what Mira decides, here is the function call:'],
    ['close', 'For the archive, I will use the `close_ticket` function:'],
    ['pay', 'The function requires the signature of Mira. The function call is:'],
    ['pay', 'I will transfer it in instalments. Here is the function call:'],
  ],
};

const text: readonly Row[] = [
  ['close', "I'll ask the customer for feedback:"],
  ['close', "I'll call the customer:"],
  ['close', "I'll close the ticket unless Mira calls:"],
  ['close', "I won't close the ticket:"],
  ['close', 'Here is the function call for you to make:'],
  ['pay', 'Once the board signs, I will transfer the money:'],
  ['pay', "I'll transfer the money tomorrow:"],
  ['book', 'Shall I book the blue room?'],
];

describe('guard: a tool that writes runs after words of the call', () => {
  it.each(runs)('%s: %s', (call, lead) => {
    for (const shape of shapesOf(calls[call])) expect(read(`${lead}\n\n${shape}`)).toBe('ok');
  });
});

describe.each(Object.entries(refused))('a call to a tool that writes is refused after %s', (_what, rows) => {
  it.each(rows)('%s: %s', (call, lead) => {
    for (const shape of shapesOf(calls[call])) {
      const answer = `${lead}\n\n${shape}`;
      expect([answer, read(answer)]).toEqual([answer, 'invalid']);
      expect(read(answer, boxOf('destructive'))).not.toContain('ok');
    }
  });
});

describe('a call is text after words that announce none', () => {
  it.each(text)('%s: %s', (call, lead) => {
    for (const shape of shapesOf(calls[call])) expect(read(`${lead}\n\n${shape}`)).toBe('text');
  });
});

it('guard: a tool that only reads keeps the natural introductions', () => {
  for (const lead of [
    'Let me check the ticket for you:',
    "I'll look into the ticket of Mira:",
    'Let me plan the steps:',
  ])
    expect(read(`${lead}\n\n${calls.close}`, boxOf('read'))).toBe('ok');
});

describe('comments in code', () => {
  const expectRead = (comment: string, expected: string) => {
    const answer = `Here is the function call:\n\`\`\`python\n${comment}\n${calls.close}\n\`\`\``;
    expect(read(answer)).toBe(expected);
  };
  it.each([
    ['# Close the ticket next week', 'invalid'],
    ['# For the next week\n', 'invalid'],
  ])('%j', expectRead);
  it.each([['# Close the ticket', 'ok']])('guard: %j', expectRead);
});

describe('several calls', () => {
  const other = 'close_ticket(ticket_id="T-13")';
  const expectRead = (answer: string, expected: string) => expect(read(answer)).toBe(expected);
  it.each([
    [`I'll close the first ticket:\n\n${calls.close}\n\nWith the signature of Mira:\n\n${other}`, 'invalid,invalid'],
    [`Let me plan the steps:\n\n1. ${calls.close}\n2. ${other}`, 'invalid,invalid'],
  ])('%j', expectRead);
  it.each([
    [`I will close the ticket:\n\n1. ${calls.close}\n2. ${other}`, 'ok,ok'],
    [`I'll close the first ticket:\n\n${calls.close}\n\nThen the second ticket:\n\n${other}`, 'ok,ok'],
  ])('guard: %j', expectRead);
});

describe('words of the task', () => {
  const asked = (content: string) => [
    { role: 'user', content },
    { role: 'tool', content: 'Mira must sign. Weekend.' },
  ];
  const task = asked('Please close the urgent ticket about invoices by Monday. Ask Mira.');
  const expectRead = (lead: string, expected: string) => {
    expect(read(`${lead}\n\n${calls.close}`, toolbox, task)).toBe(expected);
  };
  it.each([
    ["I'll close the urgent ticket by Monday:", 'invalid'],
    ["I'll close the ticket in the weekend:", 'invalid'],
    ["I'll close the ticket and must sign:", 'invalid'],
    ["I'll ask Mira:", 'text'],
  ])('%s', expectRead);
  it.each([["I'll close the urgent ticket with the invoices:", 'ok']])('guard: %s', expectRead);
  it('guard: without them the words are unknown', () => {
    expect(read(`I'll close the urgent ticket with the invoices:\n\n${calls.close}`)).toBe('invalid');
  });
});

it('tells the model to send the call alone, and leaves the response as it is', () => {
  const answer = `I'll close the ticket next week:\n\n${calls.close}`;
  expect(readCalls(answer, toolbox, { prompted: true })).toMatchObject({
    text: answer,
    calls: [
      {
        status: 'invalid',
        input: { ticket_id: 'T-12' },
        problems: [{ code: 'mentioned', message: expect.stringContaining('send only the call') }],
      },
    ],
  });
});
