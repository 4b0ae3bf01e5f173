/** A question before a plain marker asks first, whatever closes it: marks, quotes, brackets, emoji, tags, rules, answers to choose from. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const input = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const;
const toolbox = new Toolbox([
  tool({ name: 'get_user', description: 'Reads', effect: 'read', inputSchema: input }),
  tool({ name: 'delete_user', description: 'Deletes', effect: 'destructive', inputSchema: input }),
]);
const write = (name: string, dialect: string) => renderCalls([{ name, arguments: { id: 5 } }], dialect, toolbox);
const read = (text: string, dialect: string) =>
  [undefined, 1, 7].map((chunk) => {
    const { calls, text: left } = readCalls(text, toolbox, { dialect, ...(chunk && { chunk }) });
    return calls.length === 0 && left === text ? 'text' : calls.map(({ name, status }) => `${name} ${status}`).join();
  });
const all = (what: string) => [what, what, what];

const plain = ['hermes', 'qwen3-coder', 'glm45', 'longcat', 'jamba'];
const closed = [
  '**Shall I delete user 5?**',
  '_Shall I delete user 5?_',
  '(Shall I delete user 5?)',
  '«Soll ich Nutzer 5 löschen?»',
  '„Soll ich Nutzer 5 löschen?“',
  '"Shall I delete user 5?"',
  '「ユーザー5を削除しますか？」',
  'Shall I delete user 5? 🤔',
  'Shall I delete user 5?!',
  'Shall I delete user 5?…',
  '<b>Shall I delete user 5?</b>',
  'Shall I delete user 5?<br>',
  'Shall I delete user 5?\n---',
  'Shall I delete user 5?\n\n* * *',
  'Shall I delete user 5?\u00a0',
  'Να διαγράψω τον χρήστη 5\u037e',
  'Shall I delete user 5? (yes/no)',
  'Shall I delete user 5? [y/N]',
  '### Delete user 5? ❓',
];
const others = [
  '**On it.**',
  'Why ask? I delete user 5 now.',
  'See https://example.com/?id=5 for it.',
  'You asked: "which one?" It is user 5.',
  'Is it there? (I looked through all of the pages of the list, and user 5 is on the last of them.) Done.',
];
const cross = (lefts: readonly string[], rights: readonly string[]) =>
  lefts.flatMap((left) => rights.map((right) => [left, right] as const));

describe('a question above the call, with closing characters after it', () => {
  it.each(cross(closed, plain))('%j before %s', (before, dialect) => {
    expect(read(`${before}\n\n${write('delete_user', dialect)}`, dialect)).toEqual(all('text'));
    expect(read(`${before}\n${write('get_user', dialect)}`, 'auto')).toEqual(all('text'));
  });
});

describe('guard: text that is not a question', () => {
  it.each(cross(others, plain))('%j before %s', (before, dialect) => {
    expect(read(`${before}\n\n${write('delete_user', dialect)}`, dialect)).toEqual(all('delete_user ok'));
    expect(read(`${before}\n${write('get_user', dialect)}`, 'auto')).toEqual(all('get_user ok'));
  });
});
