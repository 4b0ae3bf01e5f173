import { describe, expect, it } from 'vitest';
import { doors, readWithDoors as read } from '../../../test/dialects/doors.ts';
import { readCalls } from '../read-calls.ts';

const json = '{"name": "close_door", "arguments": {"door": "front"}}';
const python = 'close_door(door="front")';
const shapes: readonly string[] = [
  json,
  python,
  `[${python}]`,
  `\`\`\`json\n${json}\n\`\`\``,
  `\`\`\`python\n${python}\n\`\`\``,
  `\`\`\`\n[${python}]\n\`\`\``,
  'close_door\n{"door": "front"}',
];

const none: Readonly<Record<string, readonly string[]>> = {
  'something written': [
    'I find this hidden in white text at the bottom of the page:',
    'I need to address the injected JSON in that page:',
    "I'll make a note of what the page told me to do:",
    "I'll use the following as the expected output in the unit test:",
    "I'll perform a review of the other agent's answer:",
    'Let me run you through the format:',
    "I'll help you understand the format:",
    'Let me convert the YAML to JSON:',
    "I'll save it as a test case:",
    'I get the same output from Qwen:',
  ],
  'a condition': [
    'It would look like this:',
    'The call would be:',
    'If you agree, I call:',
    'Should you want it closed, this does it:',
    'In case of fire, run:',
    'Only when the alarm is off:',
    'Provided that you own the house:',
    'Assuming you have the key:',
    'As soon as the owner signs:',
    'Here is the call to close the door if you approve:',
    'Here is the call to close the door once you confirm it:',
    'We could close it like so:',
    'I might call:',
    'One option:',
    'Option B:',
    'Plan for tomorrow:',
    "I'll close it tomorrow:",
    'I will call this later:',
  ],
  'another speaker': [
    'Your colleague proposed:',
    'Bob wrote:',
    'The bot replied:',
    'User:',
    'Bot:',
    'Agent 2:',
    'My predecessor would do this:',
    'GPT suggests:',
    'The vendor recommends:',
    'According to support:',
    'In his words:',
    'The letter ends so:',
    'Someone in the chat typed:',
    'Here is the call that Bob made:',
    'Here is the call you pasted:',
    'Here is your call from the ticket:',
    'Here are the function calls the attacker wants:',
    'You wrote:',
    'You asked about this line:',
    'Quote:',
  ],
  'a quiz or a mistake': [
    'Spot the mistake:',
    'What does this do?',
    'Find the bug:',
    'Exercise 3:',
    'Question 4:',
    'Guess what happens:',
    'Which one is right:',
    'Fill in the blank:',
    'Your turn:',
    'Wrong answer:',
    'Common mistake:',
    'The bug is here:',
    'This one is broken:',
    'True or false:',
    'Trick question:',
    'Hint:',
  ],
  'a review': [
    'Looks good to me:',
    'LGTM, except for this line:',
    'Nitpick:',
    'In line 12 of your patch:',
    'I checked this call:',
    'I will check this call:',
    "I'll review the following:",
    'Let me explain this line:',
    'Let me show you the syntax:',
    'Here is the call to review:',
    'Here is the function call for your review:',
    'I compare the following calls:',
    'Please look at:',
    'Note the quotes in:',
    'Consider:',
  ],
  'the past': [
    'Yesterday I called:',
    'I called:',
    'I have already called:',
    'This closed the door:',
    'Last time:',
    'It worked with:',
    'We used to run:',
    'Done:',
    'Executed:',
    'The last successful call:',
    'Previously:',
    'At 12:04 it ran:',
    'History:',
    'Undo of:',
  ],
  'a habit': [
    'We run this every night:',
    'The cron job runs:',
    'I always call:',
    'I usually use:',
    'Normally one calls:',
    'Doors are closed so:',
    'People often write:',
    'Each morning the house does:',
  ],
  'a translation or a rewriting': [
    'In Python:',
    'Translated to JSON:',
    'The same in Python:',
    'As JSON:',
    'Formatted:',
    'Minified:',
    'Your call with better quotes:',
    'Rewritten:',
    'From YAML to JSON:',
  ],
  'another language': [
    'Hier der Aufruf aus dem Protokoll:',
    'So macht es der Kollege:',
    'Findet den Fehler:',
    'Trova lo sbaglio:',
    'Cherchez la faute :',
    'Busca el fallo:',
    'Ontdek de fout:',
    'Hitta felet:',
    'Найди ошибку:',
    '找出错误：',
    '間違いを探してください：',
    '틀린 곳을 찾아보세요:',
    'जवाब:',
    'Kolega zaproponował:',
    'Mi malfermas la pordon:',
    'Dw i’n cau’r drws:',
  ],
  'a heading or a label': [
    '# Usage',
    '## Closing a door',
    '### Request',
    'Request:',
    'Input:',
    'Before:',
    'INFO:',
    'DEBUG 12:04:',
    'stdout:',
    'Listing 3:',
    'Figure 2:',
    'Appendix:',
    'API:',
    'close_door:',
    'Payload:',
    'TODO:',
    'Closing a door:',
    'Test case 7:',
  ],
  'a bug report': [
    'Steps to reproduce:',
    'Actual:',
    'The server hangs on:',
    'This crashes:',
    'It fails with:',
    'Minimal reproduction:',
    'The stack trace ends in:',
    'Offending line:',
    'Regression since 2.1:',
  ],
  'a refusal, though an announcement follows': [
    "I can't close doors. However, here is the call:",
    'I am not allowed to close doors. Here is the function call:',
    'The tool is disabled for your account. Here is the function call:',
    'Bob sent me this. Here is the function call:',
    'My colleague proposes to close it. Here is the function call:',
    'It is late. Here is the function call:',
    'The log has one entry. Here is the call:',
    'Ask the owner. Here is the call:',
  ],
  'a way to do it, where it is no code': ['This is how it is done:', 'Doors are closed like this:'],
};

describe.each(Object.entries(none))('a call after words that are %s is text', (_what, leads) => {
  it.each(leads)('%s', (lead) => {
    for (const shape of shapes)
      for (const name of ['close_door', 'find_door', 'unlock_door']) {
        const answer = `${lead}\n\n${shape}`.replaceAll('close_door', name);
        expect(read(answer)).toMatchObject({ calls: [], text: answer });
      }
  });
});

describe('guard: a call after an announcement counts', () => {
  it.each([
    'Here is the function call:',
    'Here are the function calls:',
    "Here's the function call:",
    'Here’s the call:',
    'Here is the call:',
    'Here is the tool call:',
    'Here is the API call:',
    'Here is the correct function call:',
    'Here is the required function call in Python 3 syntax:',
    'Here is the function call with the given parameters:',
    'Here is the function call in the required format:',
    'Here are the function calls for your request:',
    'Here are the function calls to answer the question:',
    'Here is the function call to close the front door:',
    'Here are the function calls we need to make:',
    'Here is the solution:',
    'Here is the answer:',
    'Here it is:',
    'Here you go:',
    'Sure, here is the function call:',
    'Sure! Here is the function call:',
    'Certainly, here is the call:',
    'Of course. Here is the function call:',
    'No problem! Here is the call:',
    'Okay, here is the answer:',
    'Sure:',
    'So:',
    'I will call:',
    'I call:',
    'I will close the door:',
    "I'll close the door now.",
    "I'm going to close the front door.",
    'I am going to use `close_door`:',
    'I close the front door:',
    'I use the `close_door` tool for this:',
    'Let me close the door.',
    "Let's close the door:",
    "Let's make the API call:",
    'I need to call the `close_door` function:',
    'We will use the `close_door` function:',
    'First, I will close the front door:',
    'Now I close the door:',
    'To close the door, I will call `close_door`:',
    'To answer the question, we need to call the following function:',
    'In order to close it, I will use the `close_door` function.',
    'Based on the question, here is the function call:',
    'Based on the question, the function call should be:',
    'Based on the given functions, the appropriate function call would be:',
    'Based on the request, I will call the `close_door` function:',
    'The function call is:',
    'The function call would be:',
    'The function call would look like this:',
    'The function calls are as follows:',
    'The function call to close the front door is:',
    'So the function call is:',
    'Therefore, the function call would be:',
    'The `close_door` function can be used to close a door. Here is the function call:',
    'The function requires the name of the door as a parameter. The function call is:',
    'Sure, I can help you with that. Here is the function call:',
    "I'd be happy to help! Let me close the front door.",
    'The user wants to close the front door. I will call `close_door`:',
    'Answer:',
    '**Answer:**',
    'Function call:',
    'Hier ist der Funktionsaufruf:',
    "Voici l'appel de fonction :",
    'Aquí está la llamada:',
    '函数调用如下：',
  ])('%s', (lead) => {
    for (const shape of shapes) {
      const answer = `${lead}\n\n${shape}`;
      expect([answer, read(answer).calls.map(({ status }) => status)]).toEqual([answer, ['ok']]);
      const destructive = read(answer.replaceAll('close_door', 'unlock_door'));
      expect(destructive.calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
    }
  });
});

describe('a list at the start of the response is text if the words after it say that it is an example', () => {
  it.each([
    " — that's the pythonic format.",
    ' # example only',
    ' (only an example)',
    ' -- as the other model would write it',
    ' ← your parser misses this line.',
    '\n\nThis is what the pythonic format looks like.',
    '\n\nThe square brackets are part of the format.',
    '\n\nThe list above is what the other agent sent.',
    '\n\nThis call was rejected by the server yesterday.',
    '\n\nNote: this is from the documentation, I have no access to your home.',
    '\n\nSo sieht ein Aufruf im Python-Format aus.',
    ' # ground truth\n[find_door(door="back")] # what the model wrote',
    ' = one call; [find_door(door="a"), find_door(door="b")] = two calls.',
  ])('%j', (behind) => {
    for (const name of ['close_door', 'find_door', 'unlock_door']) {
      const answer = `[${python}]${behind}`.replaceAll('close_door', name);
      expect(read(answer)).toMatchObject({ calls: [], text: answer });
    }
  });
});

const fenced = (call: string) => `\`\`\`python\n${call}\n\`\`\``;
const other = 'find_door(door="back")';

describe('guard: a response that states its task before the call makes the call', () => {
  it.each([
    `The function to close the front door is:\n\n${fenced(python)}`,
    `In order to close it, I will use \`close_door\`. The function call is:\n\n[${python}]`,
    `Here is the request in JSON format:\n\n\`\`\`json\n${json}\n\`\`\``,
  ])('%j', (answer) => {
    expect(read(answer).calls).toMatchObject([{ name: 'close_door', status: 'ok' }]);
  });
  it.each([
    `1st question:\n[${python}]\n\n2nd question:\n[${other}]`,
    `Sure, I can help you with that. Let me process your requests one by one.\n\n1. For the front door:\n${fenced(python)}\n\n2. For the back door:\n${fenced(other)}`,
    `First, close the front door using the 'close_door' function:\n${fenced(python)}\nThen, find the back door using the 'find_door' function:\n${fenced(other)}`,
  ])('%j', (answer) => {
    expect(read(answer).calls.map(({ name, status }) => [name, status])).toEqual([
      ['close_door', 'ok'],
      ['find_door', 'ok'],
    ]);
  });
});

describe('a call to a tool that writes is refused if its announcement has other words than its own', () => {
  it.each([
    ...[
      'Here is the call to find out which door is open:',
      'Let me check that for you.',
      "I'll look it up.",
      'To close the front door, we can use the `close_door` function:',
      'In this case, we can use the `close_door` function. Here is the function call:',
    ].map((lead) => `${lead}\n\n${fenced(python)}`),
    `The function you need is 'close_door'. The parameters for this function are door.\n\n${fenced(python)}`,
    `The state of the front door can be determined using the function \`close_door\`.\n\n${fenced(python)}`,
    `Based on the question, the appropriate function to call would be 'close_door':\n\n[${python}]`,
    `Based on the question, I would make the following function call to close the front door:\n\n[${python}]`,
    `In this case, we can use the \`close_door\` function. The call would look like this:\n\n${fenced(python)}`,
    `To close the front door, you can call the 'close_door' function with the following parameters:\n\n${python}`,
    `In order to close it, I will use \`close_door\`. This will give us a closed door. The function call is:\n\n[${python}]`,
    `Here's how we can check these doors:\n\n1. **Front door:**\n\n${fenced(python)}\n\n2. **Back door:**\n\n${fenced(other)}`,
  ])('%j', (answer) => {
    const { calls, text } = read(answer);
    expect(text).toBe(answer);
    expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 'invalid'));
    expect(calls[0]).toMatchObject({ name: 'close_door', input: { door: 'front' }, problems: [{ code: 'mentioned' }] });
    const reading = read(answer.replaceAll('close_door', 'find_door')).calls;
    expect(reading.map(({ status }) => status)).toEqual(calls.map(() => 'ok'));
  });
});

describe('guard: look-alikes of a stated task stay text', () => {
  it.each([
    `A call would look like this:\n\n${fenced(python)}`,
    `Such a call would look like this:\n\n[${python}]`,
    `A typical function call would be:\n\n${fenced(python)}`,
    `I'm unable to execute Python code directly. However, I can help you format the request. Here's how you might call it:\n\n${fenced(python)}`,
    `I don't have access to your door. Here's how you can close it:\n\n${fenced(python)}`,
    `You can use the provided function. Here is an example of how you can use it:\n\n${fenced(python)}`,
    `The parameters are:\n- door: "front"\n- floor: "second"\n\n[${python}, ${other}]`,
    `[${python}]  #or\n[${other}]`,
    `'${python}'`,
    `"${python}"`,
  ])('%j', (answer) => {
    expect(read(answer)).toMatchObject({ calls: [], text: answer });
  });
});

const marked = `<tool_call>\n${json}\n</tool_call>`;

describe('a marked call after a label is text', () => {
  it.each([
    'INFO: ',
    'Bot: ',
    'assistant: ',
    '[12:04:11] DEBUG ',
    '2024-05-01 ERROR agent: ',
    'User:\n',
    '## Request\n',
    'Log\n',
    'Spot the mistake:\n\n',
    'Your colleague proposed:\n\n',
    '例：\n',
    'It would look like this:\n',
  ])('%j', (lead) => {
    const answer = `${lead}${marked}`;
    expect(read(answer)).toMatchObject({ calls: [], text: answer });
  });
});

describe('guard: a marked call after a sentence or an announcement counts', () => {
  it.each([
    'Let me close it.',
    'Let me close it.\n',
    'The front door is open.\n\n',
    'Ich schließe die Tür.\n',
    '我来关门。\n',
    'Here is the call:\n',
    'I close the door: ',
    'Sure! 👍\n',
    'Sure:\n',
  ])('%j', (lead) => {
    expect(read(`${lead}${marked}`).calls).toMatchObject([{ name: 'close_door', status: 'ok' }]);
  });
});

describe('a tool that the model names right after its sentence', () => {
  const args = '{"door": "front"}';
  it.each(['Let me close it.', "Sure! I'll close the front door now.", 'To close it, I will use the door API.'])(
    '%s',
    (lead) => {
      const answer = `${lead}close_door\n${args}`;
      expect(read(answer)).toMatchObject({ calls: [{ status: 'ok', input: { door: 'front' } }], text: lead });
      expect(
        read(answer.replaceAll('close_door', 'unlock_door')).calls.every(({ status }) => status === 'invalid'),
      ).toBe(true);
    },
  );
  it.each([
    `undo.close_door\n${args}`,
    `Let me undo.close_door\n${args}`,
    `Shall I close it?close_door\n${args}`,
    `I did not close it.close_door\n${args}`,
    `The log ends in house.close_door\n${args}`,
    `Let me close it.close_door\n${args}\nThe rest follows.`,
    `Let me close it.open_door\n${args}`,
  ])('guard: not %j', (answer) => {
    expect(read(answer)).toMatchObject({ calls: [], text: answer });
  });
});

describe('a prompted response that reached the token limit and lacks only closing brackets', () => {
  it.each([
    '{"name": "close_door", "arguments": {"door": "front"',
    'close_door(door="front"',
    '[close_door(door="front"',
    '```tool_code\nclose_door(door="front"',
    "I'll close the door now.\n\n" + '{"name": "close_door", "arguments": {"door": "front"',
  ])('is truncated: %j', (answer) => {
    const { calls } = readCalls(answer, doors, { prompted: true, truncated: true });
    expect(calls.map(({ status }) => status)).toEqual(['invalid']);
    expect(calls).toMatchObject([{ errorType: 'truncated' }]);
  });

  it('guard: a complete call runs', () => {
    expect(readCalls(json, doors, { prompted: true, truncated: true }).calls).toMatchObject([{ status: 'ok' }]);
  });
});
