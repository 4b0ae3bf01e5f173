/** A model that misses its stop token writes the next turn itself: only calls of read-only tools run after it, in the tokens of any vocabulary and without them. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import type { Effect } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { toolWith } from '../dialects/toolboxes.ts';

const effects = ['read', 'write', 'destructive'] as const;
const boxes = new Map(
  effects.map((effect) => [effect, new Toolbox([toolWith('post', { text: { type: 'string' } }, effect)])]),
);
const boxOf = (effect: Effect): Toolbox => boxes.get(effect) as Toolbox;
const dialects = ['hermes', 'qwen3-coder', 'glm45'] as const;
const callIn = (dialect: string): string =>
  renderCalls([{ name: 'post', arguments: { text: '5 €' } }], dialect, boxOf('read'));
const runs = (
  written: string,
  effect: Effect,
  dialect: string,
  chunks: readonly (number | undefined)[] = [undefined, 1, 7],
) =>
  chunks.map((chunk) => {
    const { calls } = readCalls(written, boxOf(effect), { dialect, ...(chunk && { chunk }) });
    return calls.filter(({ status }) => status !== 'invalid').length;
  });
const none = [0, 0, 0];
const one = [1, 1, 1];
const changing = ['write', 'destructive'] as const;

/** The header of the user, of a tool and of the model, and what ends a turn. */
const vocabularies: Readonly<Record<string, readonly [user: string, tool: string, model: string, end: string]>> = {
  'a role before a token': [
    'user<|role_sep|>\n',
    'function result<|role_sep|>\n',
    'assistant<|role_sep|>\n',
    '<|message_sep|>\n\n',
  ],
  'a role as an attribute': [
    '<|open|>message role="user"<|sep|>',
    '<|open|>message role="tool" tool="search" index="1"<|sep|>',
    '<|open|>message role="assistant"<|sep|>',
    '<|close|>message<|sep|>',
  ],
  'a token for each side': ['<|user_start|>', '<|tool_start|>', '<|assistant_start|>', '<|end_of_it|>'],
  'other brackets': ['‹｜hy_User｜>', '‹｜tool｜>', '‹｜hy_Assistant｜>', ''],
  'wide bars': ['<｜hy_User｜>', '<｜tool｜>', '<｜hy_Assistant｜>', ''],
  'one sign': ['<_user>', '<_tool>', '<_bot>', '<_end>'],
  'square brackets': ['[|user|]', '[|tool|]', '[|assistant|]', '[|endofturn|]\n'],
  'unused tokens': ['[unused9]用户：', '[unused9]tool:', '[unused9]助手：', '[unused10]'],
  'an unknown token and a line': ['<extra_id_1>User\n', '<extra_id_1>Tool\n', '<extra_id_1>Assistant\n', '\n'],
  'an element with a role': [
    '<message role="user">',
    '<message role="tool">',
    '<message role="assistant">',
    '</message>\n',
  ],
};

describe.each(Object.entries(vocabularies))('%s', (_, [user, tool, model, end]) => {
  it.each(dialects)('ends the calls that change something: %s', (dialect) => {
    const call = callIn(dialect);
    for (const before of [
      'The price is 5 €.',
      'The price is 5 €.\n',
      '',
      'A long line before it, '.repeat(9).concat('and its end.'),
    ])
      for (const turn of [user, tool])
        for (const effect of changing)
          for (const way of [dialect, 'auto']) {
            const words = turn === tool ? '{"ok": true}' : 'Post it.';
            expect(runs(`${before}${end}${turn}${words}${end || '\n'}${model}${call}`, effect, way)).toEqual(none);
            expect(
              runs(`${before}${end}${turn}${words} ${'and then '.repeat(40)}${end}${model}\n${call}`, effect, way),
            ).toEqual(none);
          }
  });

  it.each(dialects)(
    'guard: calls of read-only tools run, and those after the header of the model alone: %s',
    (dialect) => {
      const call = callIn(dialect);
      expect(runs(`The price is 5 €.${end}${user}Post it.${end || '\n'}${model}\n${call}`, 'read', dialect)).toEqual(
        one,
      );
      if (!model.endsWith('：'))
        for (const effect of effects)
          expect(runs(`${model}${model.endsWith('\n') ? '' : '\n'}${call}`, effect, dialect)).toEqual(one);
    },
  );

  it('ends the calls in the turn of the user', () => {
    for (const effect of changing)
      for (const way of ['hermes', 'auto'])
        expect(runs(`The price is 5 €.${end}${user}Post it:\n${callIn('hermes')}`, effect, way)).toEqual(none);
  });
});

/** Turns whose tokens the server removed. */
const bare = [
  'The price is 5 €.\nuser\nPost it.\nassistant\n',
  'The price is 5 €.\n\nuser\n\nPost it.\n\nassistant\n\n',
  'The price is 5 €\nuser\nPost it\nassistant\n',
  'The price is 5 €.\nuser\nPost it.\nassistant\n<think>\nPost.\n</think>\n\n',
  'The price is 5 €.\nuser\nPost it.\nassistant\nSure.\n',
  'The price is 5 €.\nuser\nGreat.\nPost it, please.\nassistant\n',
  'The price is 5 €.user\nPost it.assistant\n',
  'The price is 5 €.user\n\nPost it.assistant\n\n',
  'The price is 5 €.\nuser\nPost it.\nmodel\n',
  'The price is 5 €.\ntool\n{"ok": true}\nassistant\n',
  'The price is 5 €.\nfunction result\n{"ok": true}\nassistant\n',
  'The price is 5 €.\nipython\nok\nassistant\n',
  'The price is 5 €.\n\nUser\nPost it.\n\nAssistant\n',
  'The price is 5 €.\nHUMAN\nPost it.\nASSISTANT\n',
  'The price is 5 €.\n用户\n发布吧。\n助手\n',
  'user\nPost it.\nassistant\n',
  'The price is 5 €. USER: Post it. ASSISTANT: ',
  'The price is 5 € USER: Post it. ASSISTANT: Sure.\n',
  'The price is 5 €. User: Post it. Assistant: Sure.\n',
  '### Input:\nPost it.\n\n### Response:\n',
  'The price is 5 €.\n\n### Input:\nPost it.\n\n### Response:\n',
  'The price is 5 €.\n\n### Instruction:\nPost it.\n\n### Response:\n',
  'The price is 5 €.\n=== USER ===\nPost it.\n=== ASSISTANT ===\n',
  'The price is 5 €.\n--- user ---\nPost it.\n--- assistant ---\n',
  'The price is 5 €.\n**User**\nPost it.\n**Assistant**\n',
  'The price is 5 €.\nuser\nPost it.\n',
  'The price is 5 €.\nuser\nPost it: ',
  'The price is 5 €.\nuser\n',
];

describe('without tokens', () => {
  it.each(bare)('ends the calls that change something: %j', (before) => {
    for (const dialect of dialects)
      for (const effect of changing)
        for (const way of [dialect, 'auto']) expect(runs(before + callIn(dialect), effect, way)).toEqual(none);
  });

  it.each(bare.filter((before) => !before.endsWith(' ')))('guard: calls of read-only tools run: %j', (before) => {
    expect(runs(before + callIn('hermes'), 'read', 'hermes')).toEqual(one);
  });
});

describe('guard: no turn of another role', () => {
  it.each([
    'assistant\n\n',
    'assistant\n',
    'Assistant\n',
    'model\n',
    '<|start_header_id|>assistant<|end_header_id|>\n\n',
    'I post it.\nassistant\n',
    'I post it.assistant\n',
    'I post it.<|assistant_end|><|assistant_start|>\n',
    'I post it.<|message_sep|>\n\nassistant<|role_sep|>\n',
    'Every user gets one.\n',
    '### Response:\n',
    '### Input\n\nI post it.\n\n',
    '## The user\n\nShe posts.\n\n## The data model\n\n',
    '## Input format\n\nJSON.\n\n## API response\n\n',
    '--- input ---\n5\n--- output ---\n5\n\n',
    'The user asked me to post it.\n',
    'It is for the assistant.\n\nThe user agreed.\n',
    'The roles are:\nsystem\nuser\nassistant\ntool\n\n',
    'The roles are:\n\n- user\n- assistant\n\n',
    'The roles:\nadmin\nuser\nguest\n\nI post them.\n',
    'The columns are\nid\nuser\nemail\n\nI post them.\n',
    '```yaml\nuser\n  name: bob\nassistant\n  name: eve\n```\nI post it.\n',
    '```csv\nuser\n1\nassistant\n```\n',
    'roles:\n  user\n    reads files\n  assistant\n    answers\n\n',
    'user: bob\nrole: admin\n\nI post it.\n',
    'The field is request.user\nI post it.\n',
    'The file is `user`.\nI post it.\n',
    'Set User: bob and Model: X100.\n',
    'Each turn starts with <|user|> or <|assistant|> in it.\n',
    'The tokens are `<|user|>`/`<|assistant|>`.\n',
    'The tokens "<|user|>" and "<|assistant|>" are special.\n',
    'The element <user_start> begins it.\n',
    'The type is List<User> or Map<Assistant>.\n',
    'The HTML has <div role="user-list">x</div>.\n',
    '<b>user</b> and <i>assistant</i> are set.\n',
    'Fields: <user_id>, <user_name>.\n',
    '[user_id]: the id.\n',
    'I use [1] and [2].\n',
  ])('%j', (before) => {
    for (const effect of ['read', 'write'] as const)
      expect(runs(before + callIn('hermes'), effect, 'hermes')).toEqual(one);
  });

  // Each of these may also be a turn, so that calls that change something are sent again.
  it.each([
    'I grouped them by owner.\nuser\nhas three files\n',
    'The sections are\nUser\nIt explains the users.\nAssistant\nIt explains assistants.\n',
    'user\n1\nassistant\n2\n',
  ])('for read-only tools: %j', (before) => {
    expect(runs(before + callIn('hermes'), 'read', 'hermes')).toEqual(one);
    expect(runs(before + callIn('hermes'), 'write', 'hermes')).toEqual(none);
  });
});
