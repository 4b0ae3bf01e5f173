/** A line that begins with a level, a source or a prompt, or stands below a header, is copied from a log or a session: its calls are text. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const toolbox = new Toolbox([
  tool({ name: 'restart', description: 'Restarts a server', effect: 'write', inputSchema }),
  tool({ name: 'drop_db', description: 'Drops', effect: 'destructive', inputSchema }),
]);
const plain = '<tool_call>{"name": "restart", "arguments": {"name": "x"}}</tool_call>';
const special = '<|tool_call|>[{"name": "drop_db", "arguments": {"name": "x"}}]';
const read = (written: string, options: { readonly dialect?: string; readonly prompted?: boolean } = {}) => {
  const [whole, ...others] = [undefined, 1, 7].map((chunk) => {
    const { text, calls } = readCalls(written, toolbox, { ...options, ...(chunk && { chunk }) });
    return calls.length === 0 && text === written ? 'text' : calls.map(({ name }) => name).join();
  });
  for (const other of others) expect(other).toBe(whole);
  return whole;
};

const levels = [
  'INFO agent: ',
  'INFO: ',
  'DEBUG - ',
  'WARN ',
  'ERROR in tool: ',
  '[INFO] ',
  '[INFO] agent sends ',
  '- INFO agent: ',
  'info: ',
  'log: ',
  '[debug]: tool call ',
  'level=info msg=',
  '[tool] calling ',
  '[agent-1] sends ',
  '(worker.3) out ',
];
const prompts = [
  '$ ',
  '$ agent call ',
  '% ',
  '❯ ',
  '>>> ',
  '~/src$ ',
  'bash-5.1$ ',
  'me@box:~$ ',
  'me@box src % ',
  '[me@box src]$ ',
  'root@box:/# ',
  '(venv) $ ',
  '(venv) me@box:~/src$ ',
  'C:\\> ',
  'C:\\>',
  'PS C:\\> ',
  'PS C:\\Users\\me> agent ',
  'In [3]: ',
  'irb(main):001:0> ',
  'mysql> ',
  'postgres=# ',
  'postgres=> ',
  'julia> ',
];

describe('is text in the line of a record or a prompt', () => {
  it.each([...levels, ...prompts])('%j', (start) => {
    for (const before of ['', 'It printed this:\n\n', 'It printed this:\nfirst line\n']) {
      expect(read(`${before}${start}${plain}`)).toBe('text');
      expect(read(`${before}${start}${plain}`, { dialect: 'hermes' })).toBe('text');
      expect(read(`${before}${start}${plain}`, { prompted: true })).toBe('text');
      expect(read(`${before}${start}${special}`)).toBe('text');
      expect(read(`${before}${start}${special}`, { dialect: 'granite3' })).toBe('text');
    }
  });
});

describe('is text right below such a line if no dialect is named', () => {
  it.each([
    '$ cat call.txt\n',
    'me@box:~$ agent --dry-run\n',
    '>>> print(reply)\n',
    'INFO agent sends\n',
    '[tool] output\n',
  ])('%j', (start) => {
    expect(read(`I tried it:\n\n${start}${plain}`)).toBe('text');
    expect(read(`I tried it:\n\n${start}\nSo I do it now.\n${plain}`)).toBe('restart');
  });
});

describe('is text below the header of a section if no dialect is named', () => {
  it.each([
    '[BEGIN FINAL RESPONSE]\n',
    'Hi.\n[BEGIN FINAL RESPONSE]\nThe report says:\n',
    '--- BEGIN LOG ---\n',
    'BEGIN TRANSCRIPT\n',
    '[START OF REPORT]\n',
    '=== START OUTPUT ===\n',
  ])('%j', (header) => {
    expect(read(header + plain)).toBe('text');
    expect(read(header + special)).toBe('text');
    expect(read(header + plain, { dialect: 'hermes' })).toBe('restart');
  });

  it('guard: counts behind the end of the section', () => {
    expect(read(`[BEGIN FINAL RESPONSE]\nHi.\n[END FINAL RESPONSE]\n${plain}`)).toBe('restart');
    expect(read(`Begin with the server.\n${plain}`)).toBe('restart');
    expect(read(`The header [BEGIN FINAL RESPONSE] is gone.\n${plain}`)).toBe('restart');
  });
});

describe('guard: counts after words of the model', () => {
  it.each([
    '- ',
    '1. ',
    '🔧 ',
    '→ ',
    '=> ',
    'Next -> ',
    'Step 1: ',
    'I restart it: ',
    'I use C#: ',
    'It costs 5$: ',
    'Done 100%. ',
    'INFO: 12 items. ',
    'Warning: this runs now: ',
    'Info for you: ',
    'Error handling comes next: ',
    'ALWAYS restart it: ',
    '[1] says: ',
    'Let me see [1]: ',
    '[x] ',
    '- [ ] ',
    '[Note] I restart it. ',
    'I (the agent) restart it: ',
    'me@box.de asked for it: ',
    'The path is /tmp: ',
    '**Action** ',
    '<b>Call</b> ',
  ])('%j', (said) => {
    expect(read(said + plain)).toBe('restart');
    expect(read(said + plain, { dialect: 'hermes' })).toBe('restart');
  });
});
