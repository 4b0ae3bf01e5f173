/** In a named dialect, calls without markers are calls after words that lead them in. In other data they are text. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = { type: 'object', properties: { service: { type: 'string' } }, required: ['service'] } as const;
const toolbox = new Toolbox([tool({ name: 'restart', description: 'Restarts a service', inputSchema })]);
const json = '{"name": "restart", "arguments": {"service": "billing"}}';
const forms: Readonly<Record<string, string>> = {
  'generic-json': json,
  'llama3-json': json.replace('arguments', 'parameters'),
  xlam: `[${json}]`,
  'json-fence': `\`\`\`json\n${json}\n\`\`\``,
  'json-array': `[${json}]`,
  pythonic: '[restart(service="billing")]',
  'cline-xml': '<restart>\n<service>billing</service>\n</restart>',
  react: 'Action: restart\nAction Input: {"service": "billing"}',
};
const all = Object.keys(forms);
const read = (before: string, dialect: string) => {
  const written = before + forms[dialect];
  const [whole, ...others] = [undefined, 1, 7].map((chunk) => {
    const { text, calls } = readCalls(written, toolbox, { dialect, ...(chunk && { chunk }) });
    return calls.length === 0 && text === written
      ? 'text'
      : calls.map(({ name, status }) => `${name} ${status}`).join();
  });
  for (const other of others) expect(other).toBe(whole);
  return whole;
};
const long =
  'curl -s https://example.com/a/long/path/to/the/latest/call/that/the/agent/has/made/on/this/machine --header x';

describe('is text below a prompt or a record', () => {
  it.each([
    '$ cat call.json',
    'PS C:\\> type call.json',
    'root@web:~# cat call.json',
    '% cat call.json',
    '>>> show()',
    'me@box:~$ cat call.json',
    '[me@box src]$ cat call.json',
    `$ ${long}`,
    '(venv) $ cat call.json',
    '2026-11-16 21:00:01 INFO agent: calling',
    'INFO agent: calling tool',
    '[tool] calling',
    'DEBUG - sends',
    'Nov 16 21:00:01 web agent[12]: calling',
    '[INFO] agent sends',
    'level=info msg=calling',
  ])('%j', (line) => {
    for (const dialect of all) {
      expect(read(`${line}\n`, dialect)).toBe('text');
      expect(read(`It printed this:\n\n${line}\n\n`, dialect)).toBe('text');
    }
  });
});

describe('is text in a transcript, and below the header of a section', () => {
  it.each([
    'User: restart it\n',
    'User: restart it\nModel: ',
    'User: restart it\n\nAssistant: I do it.\n',
    '用户：重启\n',
    'Customer: restart it\nAgent: ',
    'You: restart it\nBot: ',
    '### User\nrestart it\n\n### Assistant\n',
    '--- BEGIN LOG ---\n',
    'BEGIN TRANSCRIPT\n',
    'User: hi\n<think>So.</think>\n',
  ])('%j', (before) => {
    for (const dialect of all) expect(read(before, dialect)).toBe('text');
  });
});

const objects = ['generic-json', 'llama3-json', 'xlam', 'json-fence'];

describe('is text as the value of a key', () => {
  it.each([
    'automation:\n  - alias: Morning\n    action: ',
    'steps:\n- call: ',
    '- name: x\n  call: ',
    '  action: ',
    'alias: Morning\naction: ',
    'alias: Morning\naction:\n  ',
    'action:\n  ',
    'payload: ',
    'payload:\n',
    '[agent]\nname = x\nretries = 3\n',
    'name: x\nversion: 2\n\n',
    'Service: billing\nRegion: eu\nCall: ',
    'description: Restarts it.\naction: ',
    'Bob: Restart it.\nAlice: ',
    'Payload: ',
    'Request body:\n',
  ])('%j', (before) => {
    for (const dialect of objects) expect(read(before, dialect)).toBe('text');
  });
});

describe('guard: is text as the value of a key, or as a result, in these notations too', () => {
  it.each(['key = ', '[agent]\ncall = ', 'call_1:\n    ', '"call": ', '**Tool result:**\n', 'Observation: '])(
    '%j',
    (before) => {
      for (const dialect of objects) expect(read(before, dialect)).toBe('text');
    },
  );
});

describe('is text at the start of a document, and below the name of a file', () => {
  it.each([
    '%YAML 1.2\n---\ncall: ',
    '---\ncall: ',
    '# config\naction: ',
    'call.json:\n',
    '`call.json`:\n',
    '**call.json**\n\n',
    'File: call.json\n',
    'cat call.json\n',
    'src/a/call.yaml\n',
  ])('%j', (before) => {
    for (const dialect of objects) expect(read(before, dialect)).toBe('text');
  });
});

describe('is text below the head of a request or a mail', () => {
  it.each([
    'POST /run HTTP/1.1\nHost: example.com\nContent-Type: application/json\n\n',
    'POST /run HTTP/1.1\n\n',
    'HTTP/1.1 200 OK\ncontent-type: application/json\n\n',
    'HTTP/2 200\n\n',
    'Content-Type: application/json\n\n',
    'content-type: application/json\n\n',
    '> POST /run HTTP/1.1\n> Host: example.com\n\n',
    '< HTTP/1.1 200 OK\n< Server: x\n<\n',
    'From: a@example.com\nTo: b@example.com\nSubject: Call\n\n',
    'The client sends this:\n\nPOST /run HTTP/1.1\nHost: example.com\n\n',
  ])('%j', (before) => {
    for (const dialect of objects) expect(read(before, dialect)).toBe('text');
  });
});

describe('is text as a result, or as the answer to somebody else', () => {
  it.each([
    'Output: ',
    'Output:\n',
    'Result: ',
    'Results:\n',
    'Tool result:\n',
    'Tool output: ',
    '### Tool result\n',
    'Function output: ',
    'Expected output:\n',
    'Tool response: ',
    'API response:\n\n',
    'Result 1: ',
    'Output (JSON): ',
    'stdout: ',
    'Ausgabe: ',
    'Ergebnis:\n',
    'Résultat : ',
    '输出：',
    'Input: make it warmer\nOutput: ',
    'Q: What will it say?\nA: ',
    'Question: What will it say?\nAnswer: ',
    'Input: restart it\nResponse:\n',
    'Prompt: restart it\nCompletion: ',
    'Example: restart it\nCall: ',
  ])('%j', (before) => {
    for (const dialect of objects) expect(read(before, dialect)).toBe('text');
  });
});

describe('guard: counts after words that lead it in', () => {
  it.each([
    '',
    'Sure, I restart it:\n',
    'I restart it now. ',
    'I restart it now.\n\n',
    'Here is the call: ',
    'Calling: ',
    'Action: ',
    'action: ',
    'Action:\n',
    'Answer: ',
    'Function call: ',
    'Tool call:\n',
    'tool_call: ',
    'Call:\n\n',
    'Response: ',
    '### Response:\n',
    'Assistant: ',
    'Final answer: ',
    'My response:\n',
    'Here is the result: ',
    'Here is the output:\n',
    'Final output:\n',
    'The final result is:\n',
    'Thought: it is down\nAction: ',
    'Thought: I should restart it.\nAction:\n',
    'Reasoning: it is down\n\nCall: ',
    'Note: it is down.\nCall: ',
    'Status: it is down.\nRunning: ',
    'Plan:\n1. restart\n2. check\n\nI start:\n',
    'Ich starte den Dienst neu:\n',
    'Je redémarre : ',
    '好的，我来重启：\n',
    '1. Restart billing: ',
    '- **Service**: billing\n- **Region**: eu\n\n',
    'Service: billing\n\n',
    'INFO: 12 items.\n',
    'It costs 5$ now.\n',
    '[Note] I restart it.\n',
    'The user: restart it.\n',
    'Customer: ACME\n\nI restart it:\n',
    '<think>User: hi</think>\n',
    'The log says OK.\n',
    'See the logs.\n\n',
    'I write call.json:\n',
    '# Plan\nAction: ',
  ])('%j', (before) => {
    for (const dialect of ['generic-json', 'llama3-json']) expect(read(before, dialect)).toBe('restart ok');
  });

  it('in every dialect without markers', () => {
    for (const dialect of all) expect(read('', dialect)).toBe('restart ok');
    for (const dialect of ['cline-xml', 'react', 'json-fence', 'xlam'])
      expect(read('It is down, so I restart it.\n', dialect)).toBe('restart ok');
  });
});
