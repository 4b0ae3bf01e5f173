/** A question before a plain marker asks first, whatever closes it: marks, quotes, brackets, emoji, tags, rules, answers to choose from. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { inEveryChunk as all, idSchema, readUserCalls as read, writeUserCall as write } from './toolboxes.ts';

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

const unmarked = [
  'ユーザー5を削除してもよろしいですか。',
  'ユーザー5を削除しますか',
  '削除してよろしいでしょうか。',
  '削除しましょうか！',
  '要不要我删除用户 5。',
  '请问可不可以删除用户 5',
  '可以删除用户 5 吗。',
  '사용자 5를 삭제해도 될까요',
  '사용자 5를 삭제할까요.',
  '사용자 5를 삭제하시겠습니까',
  '삭제해도 되나요',
  'Να διαγράψω τον χρήστη 5;',
  'Ջնջե՞մ 5 օգտատիրոջը։',
];
const statements = [
  'ユーザー5を削除します。',
  '残っているかどうかを確認しました。',
  'いくつか確認しました。静か。',
  '我先看看用户 5 是不是存在。',
  '我检查是否存在，然后删除。',
  '要不要都行。我删除用户 5。',
  '사용자 5를 삭제하겠습니다.',
  '필요하니까 삭제합니다.',
  'Διαγράφω τον χρήστη 5.',
  'Τον βρήκα; τώρα τον διαγράφω.',
  'Ջնջում եմ 5 օգտատիրոջը։',
];

describe('a question without a question mark', () => {
  it.each(unmarked)('%s', (before) => {
    const answer = `${before}\n\n${write('get_user', 'hermes')}`;
    expect(read(answer, 'auto')).toEqual(all('text'));
    const writing = new Toolbox([
      tool({ name: 'get_user', description: 'Writes', effect: 'write', inputSchema: idSchema }),
    ]);
    expect(readCalls(answer, writing, { prompted: true })).toMatchObject({ calls: [], text: answer });
  });
  it.each(statements)('guard: %s', (before) => {
    expect(read(`${before}\n\n${write('get_user', 'hermes')}`, 'auto')).toEqual(all('get_user ok'));
  });
});

describe('guard: text that is not a question', () => {
  it.each(cross(others, plain))('%j before %s', (before, dialect) => {
    expect(read(`${before}\n\n${write('delete_user', dialect)}`, dialect)).toEqual(all('delete_user ok'));
    expect(read(`${before}\n${write('get_user', dialect)}`, 'auto')).toEqual(all('get_user ok'));
  });
});
