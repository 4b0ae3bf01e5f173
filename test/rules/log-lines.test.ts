/** A line that begins with a date or a time, in any notation that programs use, is a record of a log: its calls are text. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const toolbox = new Toolbox([
  tool({ name: 'restart', description: 'Restarts', effect: 'write', inputSchema }),
  tool({ name: 'drop_db', description: 'Drops', effect: 'destructive', inputSchema }),
]);
const plain = '<tool_call>{"name": "restart", "arguments": {"name": "x"}}</tool_call>';
const special = '<|tool_call|>[{"name": "drop_db", "arguments": {"name": "x"}}]';
const read = (written: string, dialect?: string) =>
  [undefined, 1, 7].map((chunk) => {
    const { text, calls } = readCalls(written, toolbox, { ...(dialect && { dialect }), ...(chunk && { chunk }) });
    return calls.length === 0 && text === written ? 'text' : calls.map(({ name }) => name).join();
  });
const all = (result: string) => [result, result, result];

const programs = [
  '11-16 21:00:01.123  1234  5678 I Agent: ',
  '[ 1234.567890] usb 1-1: ',
  '[   12.345] agent ',
  '20261116T210001Z agent ',
  '20261116 210001 agent ',
  '261116 21:00:01 agent ',
  '1794862801123 agent ',
  '[1794862801.123] agent ',
  '2026-320T21:00:01 agent ',
  '<34>1 2026-11-16T21:00:01Z host app - - ',
  '<34>Nov 16 21:00:01 host app: ',
  'time="2026-11-16T21:00:01Z" level=info msg=',
  'level=info ts=2026-11-16T21:00:01Z msg=',
  'level=info ts=1794862801.123 msg=',
  'INFO 2026-11-16 21:00:01 agent: ',
  'INFO [2026-11-16] agent ',
  '[INFO] 2026-11-16 21:00:01 agent ',
  '[INFO] [2026-11-16 21:00:01] agent ',
  '[thread-1] 21:00:01.123 INFO agent ',
  'info: 2026-11-16 21:00:01 agent ',
  'web-1 2026-11-16T21:00:01Z agent ',
  'sshd[12]: 2026-11-16 21:00:01 agent ',
  'host.example.com - - [16/Nov/2026:21:00:01 +0000] ',
  '[Mon Nov 16 21:00:01.123456 2026] [core:info] [pid 9] ',
  'FINER 2026-11-16 21:00:01 agent ',
  '+0.123s agent: ',
  'T+00:03:12 agent ',
  '#12 3.141 agent ',
];
const people = [
  '16-Nov-2026 21:00:01.123 INFO agent ',
  'Mon Nov 16 21:00:01 2026 agent: ',
  'Mon, 16 Nov 2026 21:00:01 GMT agent: ',
  '16 Nov 2026 21:00:01 agent: ',
  'Nov 16, 2026 9:00:01 PM agent: ',
  'Nov 16, 2026, 9:00 PM - Bob: ',
  '2026-Nov-16 21:00:01 agent: ',
  '16. November 2026 21:00:01 agent: ',
  'lundi 16 novembre 2026 21:00:01 agent: ',
  '16 ноября 2026 21:00:01 agent: ',
  '2026年11月16日 21:00:01 代理输出：',
  '2026年11月16日（月） 21:00:01 agent: ',
  '2026년 11월 16일 오후 9:00:01 agent: ',
];

describe('is text after the stamp of a record', () => {
  it.each([...programs, ...people])('%j', (stamp) => {
    for (const before of ['', 'From the log:\n\n', 'From the log:\n\n- ', 'app.log:12:']) {
      expect(read(`${before}${stamp}${plain}`)).toEqual(all('text'));
      expect(read(`${before}${stamp}${special}`)).toEqual(all('text'));
    }
    expect(read(`From the log:\n\n${stamp}${plain}`, 'hermes')).toEqual(all('text'));
    expect(read(`From the log:\n\n${stamp}${special}`, 'granite3')).toEqual(all('text'));
  });

  it.each([
    ...programs.map((stamp) => `${stamp}done. `),
    '16-Nov-2026 21:00:01.123 INFO agent done. ',
    '16 Nov 2026 21:00:01 [7] done. ',
    'Mon Nov 16 21:00:01 2026 agent: done. ',
    '2026-11-16 21:00:01 agent: done. ',
    '2026-11-16T21:00:01Z ERROR done. ',
  ])('also behind a sentence of the record: %j', (record) => {
    expect(read(`Log:\n\n${record}${special}`)).toEqual(all('text'));
    expect(read(`Log:\n\n${record}${special}`, 'granite3')).toEqual(all('text'));
    expect(read(`Log:\n\n${record}${plain}`, 'hermes')).toEqual(all('text'));
  });
});

describe('guard: counts after a sentence with a date or a number', () => {
  it.each([
    'On 16 Nov 2026 the meeting starts. ',
    'On 2026-11-16 21:00:01 the server crashed. ',
    'At 21:00:01 it failed. ',
    'On 16 Nov 2026 21:00:01 the server crashed. ',
    'Am 16. November 2026 21:00:01 war es so weit. ',
    'Since Nov 16 21:00:01 it is down. ',
    'Fine 12:00:00 works. ',
    '16 Nov 2026 is fine. ',
    '16 Nov 2026 at 21:00 works. ',
    '16 Nov 2026 21:00 works. ',
    'Nov 16, 2026 works. ',
    'May 5 works for me. ',
    'am 16.11.2026 um 21:00 Uhr geht es. ',
    '2026年11月16日的会议已取消。',
    'Room-2 12:30 is free. ',
    'Version 1.2.3 is out. ',
    'Warning: 3 items are left. ',
    'INFO: 12 items. ',
    'Error 404 came back. ',
    '[1] says so. ',
    '[1.2] says so. ',
    '1234567890123456 is the card. ',
    '9780306406157 is the ISBN. ',
    'Order 20261116 is late. ',
    '#12 is fixed. ',
    '+49 30 1234567 is the number. ',
    '11-16 items are left. ',
    'I have 3 of them. ',
  ])('%j', (said) => {
    expect(read(`${said}${plain}`)).toEqual(all('restart'));
    expect(read(`${said}${special}`, 'granite3')).toEqual(all('drop_db'));
  });

  it.each([
    '2026-11-16 is free. ',
    '2026-11-16 21:00:01 UTC is now. ',
    '2026-11-16 works: I book it. ',
    '12:30 works: fine. ',
    '2026-11-16 21:00 is free, so I book it. ',
    '2026-11-16 21:00:01 had an error. ',
    '21:00:01 is over. ',
  ])('%j in a named dialect', (said) => {
    expect(read(`${said}${plain}`, 'hermes')).toEqual(all('restart'));
  });

  it('in the next line', () => {
    expect(read(`16-Nov-2026 21:00:01 INFO failed\n\nI restart it.\n${plain}`)).toEqual(all('restart'));
  });
});
