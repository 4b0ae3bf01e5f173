/** A turn of the user that the model made up, in any language, or of someone whom an assistant replies to, ends the calls. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const toolbox = new Toolbox([tool({ name: 'restart', description: 'Restarts', effect: 'write', inputSchema })]);
const call = '<tool_call>{"name": "restart", "arguments": {"name": "x"}}</tool_call>';
const read = (written: string, dialect = 'auto') =>
  [undefined, 1, 7].map((chunk) => {
    const { text, calls } = readCalls(written, toolbox, { dialect, ...(chunk && { chunk }) });
    return calls.length === 0 && text === written ? 'text' : calls.map(({ name }) => name).join();
  });
const all = (result: string) => [result, result, result];

const users = [
  'Benutzer',
  'Nutzerin',
  'Utilisateur',
  'Usuario',
  'Usuário',
  'Utente',
  'Gebruiker',
  'Użytkownik',
  'Kullanıcı',
  'Пользователь',
  'ПОЛЬЗОВАТЕЛЬ',
  '用户',
  '使用者',
  'ユーザー',
  'ユーザ',
  '사용자',
  '**用户**',
  '[Usuario]',
];

describe('is text after a turn of the user', () => {
  it.each(users)('%s', (user) => {
    for (const colon of [': ', '：', ' : ']) {
      expect(read(`Fine.\n\n${user}${colon}restart it\n${call}`)).toEqual(all('text'));
      expect(read(`${user}${colon}restart it\n\nAssistant: ${call}`)).toEqual(all('text'));
      expect(read(`${user}${colon}${call}`, 'hermes')).toEqual(all('text'));
    }
  });

  it.each([
    ['Customer', 'Agent'],
    ['Kunde', 'KI'],
    ['You', 'ChatGPT'],
    ['Me', 'Bot'],
    ['Client', 'Assistant'],
    ['我', '助手'],
    ['Клиент', 'Бот'],
    ['お客様', 'アシスタント'],
  ])('%s before %s', (partner, assistant) => {
    expect(read(`${partner}: restart it\n${assistant}: ${call}`)).toEqual(all('text'));
    expect(read(`${partner}: restart it\n\n${assistant}: I restart it.\n${call}`)).toEqual(all('text'));
  });
});

describe('guard: counts after other labels', () => {
  it.each([
    'Customer: ACME\nOrder: 12\n\n',
    'You: all of you.\n',
    'Agent: Smith\nOrder: 12\n',
    'Model: X100\nColor: red\n',
    'Customers: 12\n',
    'The user: restart it.\n',
    'Usuarios activos: 12\n',
    '用户已确认。\n',
    'Agent: Smith\nCustomer: Bob\n',
    'Customer: Bob\nAgent: Smith\n',
    'Client: ACME\nModel: X100\n',
  ])('%j', (before) => {
    expect(read(before + call)).toEqual(all('restart'));
  });

  it('in a named dialect', () => {
    expect(read(`用户：restart it\n${call}`, 'hermes')).toEqual(all('restart'));
    expect(read(`Customer: restart it\nAgent: ${call}`, 'hermes')).toEqual(all('restart'));
  });
});
