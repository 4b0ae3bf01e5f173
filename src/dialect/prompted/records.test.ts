import { describe, expect, it } from 'vitest';
import { doors } from '../../../test/dialects/doors.ts';
import { readCalls } from '../read-calls.ts';

const read = (answer: string, dialect?: string, chunk?: number) =>
  readCalls(answer, doors, { ...(dialect ? { dialect } : { prompted: true }), ...(chunk && { chunk }) });
const names = ['close_door', 'find_door', 'unlock_door'];
const isText = (answer: string): void => {
  for (const name of names) {
    const one = answer.replaceAll('close_door', name);
    expect(read(one)).toMatchObject({ calls: [], text: one });
  }
};
const given = '{"door": "front"}';

describe('an object with the tool under another key, or with additional keys, is data', () => {
  it.each([
    ...['operationId', 'uses', 'node', 'rpc', 'id', 'step', 'event', 'user', 'hook', 'command', 'method'].map(
      (key) => `It says so.\n\n${key}: close_door\nparameters: ${given}`,
    ),
    `operationId: close_door\n  arguments: ${given}`,
    `paths:\n  /door:\n    post:\n      operationId: close_door\n      parameters: [${given}]`,
    `tool: close_door\nparameters: [${given}]`,
    `steps:\n  - tool: close_door\n    parameters: ${given}\n`,
    `jobs:\n  - id: close_door\n    arguments: [${given}]`,
    `- tool: close_door\n  args: ${given}`,
    `Here is the node:\n\n  tool: close_door\n  parameters: ${given}`,
    `The step is\n  action: close_door\n  input: ${given}`,
    `user: anna\ntool: close_door\narguments: ${given}`,
    `Last entry:\n\nuser: anna\ntool: close_door\narguments: ${given}`,
    `status: denied\ntool: close_door\narguments: ${given}`,
    `status: denied\n\ntool: close_door\narguments: ${given}`,
    `2026-01-01 time: 10:00\ntool: close_door\narguments: ${given}`,
    `tool: close_door\narguments: ${given}\nstatus: denied`,
    `tool: close_door\narguments: ${given}\r\nstatus: denied`,
    `name: close_door\ninput: ${given}\noutput: closed`,
  ])('%j', isText);
});

describe('a name that is a key of YAML is data', () => {
  it.each([
    `close_door: ${given}`,
    `- close_door: ${given}`,
    `- close_door: ${given}\n- close_door: {"door": "back"}`,
    'close_door: {door: front}\ndelay: 5',
    `\`\`\`\n  close_door: ${given}\n\`\`\``,
    'close_door { door: "front" }',
  ])('%j', isText);
});

describe('guard: a name that is a key of YAML is data beside other lines', () => {
  it.each([`- delay: 5\n- close_door: ${given}`, `Here is the scene:\n\n- close_door: ${given}`])('%j', isText);
});

describe('guard: an object with only the keys of a call counts', () => {
  it.each([
    `Tool: close_door\nInput: ${given}`,
    `I close it.\n\nTool: close_door\nArguments: ${given}`,
    `I close it:\ntool: close_door\nargs: ${given}`,
    `**Function:** close_door\n**Parameters:** ${given}`,
    `Thought: I close it.\nAction: close_door\nAction Input: ${given}`,
    `close_door\nInput: ${given}`,
    `close_door ${given}`,
    `close_door\n${given}`,
    `**close_door**: ${given}`,
  ])('%j', (answer) => {
    expect(read(answer).calls).toMatchObject([{ status: 'ok', input: { door: 'front' } }]);
  });
});

it('removes the label of a call from the text', () => {
  expect(read(`I close it.\n\nTool: close_door\nInput: ${given}`).text).toBe('I close it.');
});

const action = `Action: close_door\nAction Input: ${given}`;

describe('text after a final answer is content', () => {
  const answers = [
    `Final Answer: Use this format:\n${action}`,
    `Final Answer: The agent writes\n\n${action}`,
    `Final Answer: It is done.\n\n${action}`,
    `Answer: The two lines are:\n${action}`,
    `**Final Answer:** Two lines:\n${action}`,
    `Final Answer: Zwei Zeilen:\n${action}\n`,
    `Final Answer: I explain it.\n\nThought: close it\n${action}`,
  ];
  it.each([
    ...[
      'Final Answer',
      '**Final Answer**',
      '## Final Answer',
      'final answer ',
      '**Final Answer:**',
      'Final Answer: \n',
      'Answer:',
    ].flatMap((label) => [`${label}\n${action}`, `Thought: I know it.\n${label}\n${action}`]),
    `Thought: I know it.\nFinal Answer:\n{"name": "close_door", "arguments": ${given}}`,
  ])('after a label on its own line: %j', (answer) => {
    isText(answer);
    for (const name of names)
      for (const chunk of [1, 7, answer.length]) {
        const { calls, text } = read(answer.replaceAll('close_door', name), 'react', chunk);
        expect(calls).toEqual([]);
        expect(text).toContain(name);
      }
  });
  it.each(answers)('in labelled lines: %j', (answer) => {
    isText(answer);
    for (const name of names)
      for (const chunk of [1, 7, answer.length])
        expect(read(answer.replaceAll('close_door', name), 'react', chunk).calls).toEqual([]);
  });
  it.each(answers.filter((one) => !one.startsWith('*')))('after a thought: %j', (answer) => {
    const whole = `Thought: I know it.\n${answer}`;
    isText(whole);
    for (const chunk of [1, 7, whole.length]) {
      const { calls, text } = read(whole, 'react', chunk);
      expect(calls).toEqual([]);
      expect(text.trim()).toBe(answer.replace(/^.*?: /, '').trim());
    }
  });
  it.each([`{"name": "close_door", "arguments": ${given}}`, 'close_door(door="front")', '[close_door(door="front")]'])(
    'in every format: %s',
    (call) => isText(`Final Answer: It is\n\n${call}`),
  );
});

describe('guard: a response that consists of calls', () => {
  it.each([
    `**Answer:**\n\`\`\`json\n{"name": "close_door", "arguments": ${given}}\n\`\`\``,
    'Therefore, the final answer is:\n\n[close_door(door="front")]',
  ])('%j', (answer) => {
    expect(read(answer).calls).toMatchObject([{ status: 'ok' }]);
  });
  it.each([
    action,
    `Thought: I close it.\n${action}`,
    `Thought: I need the\nFinal Answer of the user.\n${action}`,
    `Thought: This is not the final answer\n${action}`,
  ])('named: %j', (answer) => {
    expect(read(answer, 'react').calls).toMatchObject([{ status: 'ok' }]);
  });
});
