/** Words right before a call may leave a doubt: a question above it, a sentence that it ends. Nothing is destroyed on a doubt. */
import { describe, expect, it } from 'vitest';
import { readUserCalls, writeUserCall as write } from './toolboxes.ts';

const read = (text: string, dialect: string) => readUserCalls(text, dialect, [undefined, 3]);

const plain = ['hermes', 'qwen3-coder', 'glm45', 'anthropic-xml'];
const special = ['kimi-k2', 'deepseek-v31', 'mistral', 'gemma4', 'cohere-cmd3', 'lfm2', 'apertus', 'kimi-k3'];
const questions = ["What's next?\n", 'Was kommt jetzt?\n\n', '次は何ですか？\n', 'Qui est-ce ?\n', 'ماذا بعد؟\n'];
const sentences = ['Let me check: ', "I'll use the tool ", 'Ich sehe jetzt nach ', 'Looking it up — ', '**Reading** '];
const cross = (lefts: readonly string[], rights: readonly string[]) =>
  lefts.flatMap((left) => rights.map((right) => [left, right] as const));

describe('a question above the call, in a named dialect with plain markers', () => {
  it.each(cross(questions.slice(1), plain))('%j in %s', (before, dialect) => {
    expect(read(before + write('get_user', dialect), dialect)).toEqual(['get_user ok', 'get_user ok']);
    expect(read(before + write('delete_user', dialect), dialect)).toEqual(['text', 'text']);
  });

  it.each(cross(['Shall I? ', '要执行吗？ ', '要执行吗？', 'هل أنفذ ذلك؟'], plain))(
    'guard: %j on the same line makes it text, in %s',
    (before, dialect) => {
      expect(read(before + write('get_user', dialect), dialect)).toEqual(['text', 'text']);
    },
  );
});

describe('special tokens that end a sentence, without a named dialect', () => {
  const tokens = special.filter((name) => name !== 'mistral');
  it.each([...cross(sentences, special), ...cross(questions, tokens)])('%j with %s', (before, dialect) => {
    expect(read(before + write('get_user', dialect), 'auto')).toEqual(['get_user ok', 'get_user ok']);
    expect(read(before + write('delete_user', dialect), 'auto')).toEqual(['text', 'text']);
  });

  it.each(cross(questions, ['mistral', 'functiongemma']))(
    '%j with %s, whose marker users can type',
    (before, dialect) => {
      expect(read(before + write('get_user', dialect), 'auto')).toEqual(['text', 'text']);
      expect(read(before + write('delete_user', dialect), 'auto')).toEqual(['text', 'text']);
    },
  );

  it.each(cross(sentences, special))('guard: %j with %s, if the sentence continues', (before, dialect) => {
    const text = `${before}${write('get_user', dialect)} and so on.`;
    expect(read(text, 'auto')).toEqual(['text', 'text']);
  });
});

describe('a list of calls after its label, without a named dialect', () => {
  it.each(['On it.\n', 'Ich sehe nach.\n\n', 'On it. '])('guard: %j', (before) => {
    expect(read(before + write('get_user', 'phi4-mini'), 'auto')).toEqual(['get_user ok', 'get_user ok']);
  });

  it.each(['See (', 'Use `', '# '])('%j', (before) => {
    expect(read(before + write('get_user', 'phi4-mini'), 'auto')).toEqual(['text', 'text']);
  });
});

describe('a sign between text and a call of a named dialect', () => {
  it.each(plain)('%s', (dialect) => {
    expect(read(`Reading | ${write('get_user', dialect)}`, dialect)).toEqual(['get_user ok', 'get_user ok']);
    const row = `| ${dialect} | ${write('get_user', dialect)}`;
    expect(read(row, dialect)).toEqual(['text', 'text']);
  });
});
