import { describe, expect, it } from 'vitest';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { readCalls } from '../read-calls.ts';

const inputSchema = { type: 'object', properties: { user_id: { type: 'string' } }, required: ['user_id'] };
const toolbox = new Toolbox([tool({ name: 'lock_user', description: 'Lock a user', inputSchema })]);
const json = '{"name": "lock_user", "arguments": {"user_id": "17"}}';
const shapes = [`\`\`\`json\n${json}\n\`\`\``, json, 'lock_user(user_id="17")', `<tool_call>\n${json}\n</tool_call>`];
const read = (answer: string) => readCalls(answer, toolbox, { prompted: true });

describe('a call is text if an earlier sentence of the paragraph before it refuses', () => {
  it.each([
    'I refuse to do that. The call you asked for:',
    'I have not locked anyone. This is what the call would look like:',
    "I haven't locked anyone. The call would be:",
    'No action taken. Tool call:',
    'Access denied. Function call:',
    'Nobody was locked. The call would look like this:',
    "I can't lock users. Here is the call I was given:",
    'Locking is not allowed for your role. Here is the function call that was blocked:',
    'I decided against it. The call in question:',
    'I am not going to lock anyone. The call you pasted:',
    'As I explained, I never lock accounts on my own. The corresponding tool call is:',
    'Ich habe niemanden gesperrt. Der Aufruf:',
    "Je n'ai bloqué personne. L'appel :",
    'No he bloqueado a nadie. La llamada:',
    'Jag har inte låst någon. Anropet:',
    'Ik heb niemand geblokkeerd. De aanroep:',
    'En ole lukinnut ketään. Kutsu:',
    'Я никого не блокировал. Вызов:',
    '誰もロックしていません。呼び出し：',
    '我没有锁定任何人。调用：',
    '아무도 잠그지 않았습니다. 호출:',
  ])('%s', (lead) => {
    for (const call of shapes)
      expect(read(`${lead}\n\n${call}`)).toMatchObject({ calls: [], text: `${lead}\n\n${call}` });
  });
});

describe('a sentence that describes a call, or what happened to it, makes the call an example', () => {
  it.each([
    'This is what the call would look like:',
    "I'll show you what the call looks like, without running it:",
    'Here is how such a call is written:',
    'Here is the function call that was blocked:',
    'Here is a bad call:',
    'In theory one could send:',
    'So sähe der Aufruf aus:',
    'Der Aufruf würde so aussehen:',
    "L'appel ressemblerait à ceci :",
    'La llamada sería:',
    'Anropet skulle se ut så här:',
    'Вызов выглядел бы так:',
    '呼び出しは次のようになります：',
    '调用会是这样：',
    'Například:',
  ])('%s', (lead) => {
    for (const call of shapes)
      expect(read(`${lead}\n\n${call}`)).toMatchObject({ calls: [], text: `${lead}\n\n${call}` });
  });
});

describe('a call is text if a sentence before the announcement refuses, lacks or reports something', () => {
  it.each([
    'The question does not specify a reason. Here is the function call:',
    'You have not provided a date. I will use today:',
    'I am unable to see the account. However, I can lock it. Here is the call:',
    'The tool takes text, not a number. Let me use it:',
    'The account was reported twice. Locking it now:',
  ])('%s', (lead) => {
    for (const call of shapes)
      expect(read(`${lead}\n\n${call}`)).toMatchObject({ calls: [], text: `${lead}\n\n${call}` });
  });
});

describe("guard: an announcement isn't a refusal", () => {
  it.each([
    'The function call would look like this:',
    'No problem. I will lock the account:',
    'The user wants the account locked. Let me lock it:',
  ])('%s', (lead) => {
    for (const call of shapes) expect(read(`${lead}\n\n${call}`).calls).toMatchObject([{ name: 'lock_user' }]);
  });
});
