import { describe, expect, it } from 'vitest';
import type { Format } from '../../model/index.ts';
import { repairHistory } from './repair-history.ts';

const sound = (format: Format, text: string) => {
  const { body, changes } = repairHistory(format, JSON.parse(text), Buffer.from(text));
  return { text: body.toString(), changes };
};

/** A chat request, written as no library would, so that a change anywhere shows. */
const chat = (written: string): string =>
  `{ "model":"m",\r\n"x": [1.0, {"messages": "é"}], "messages" : [ {"role":"user","content":"a \\u00e9 \\" }"},
  {"role":"assistant" , "tool_calls":[{"id":"c1","function":{"name":"f","arguments": ${written} }, "extra": 1e2}]}, {"role":"tool","tool_call_id":"c1","content":"no"}],"stream":true}`;

describe('soundHistory', () => {
  it.each([
    ['{"a":1,}', '{"a":1}'],
    ["{a: 'é'}", '{"a":"é"}'],
    ['', '{}'],
    ['not at all', '{}'],
    ['[1, 2]', '{}'],
    ['{"a": "cut of', '{}'],
  ])(
    'C19 mends or empties arguments in the history that are not a JSON object, and changes nothing else: %s',
    (from, to) => {
      const { text, changes } = sound('openai-chat', chat(JSON.stringify(from)));
      expect(text).toBe(chat(JSON.stringify(to)));
      expect(changes).toHaveLength(1);
    },
  );

  it('C19 returns the same body if the history is valid', () => {
    const body = Buffer.from(chat('"{\\"a\\": 1}"'));
    expect(repairHistory('openai-chat', JSON.parse(body.toString()), body)).toEqual({ body, changes: [] });
    const object = Buffer.from(chat('{"a": 1}'));
    expect(repairHistory('openai-chat', JSON.parse(object.toString()), object).body).toBe(object);
  });

  it('C19 changes the last of two duplicate keys, which is the effective one', () => {
    const twice = (given: string): string =>
      `{"input":[{"type":"function_call","arguments":"{","name":"f","arguments":${given}}]}`;
    expect(sound('openai-responses', twice('"{a:1}"')).text).toBe(twice('"{\\"a\\":1}"'));
  });

  it.each([
    ['openai-responses', '{"input":[{"type":"function_call","name":"f","arguments":"nope"}]}', '"nope"', '"{}"'],
    [
      'anthropic',
      '{"messages":[{"content":"x"},{"content":[{"type":"tool_use","name":"f","input":"{a:1}"}]}]}',
      '"{a:1}"',
      '{"a":1}',
    ],
    ['gemini', '{"contents":[{"parts":[{"functionCall":{"name":"f","args":null}}]}]}', 'null', '{}'],
    ['ollama', '{"messages":[{"tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}]}', '"{}"', '{}'],
  ] as const)('C19 does the same in the API format %s', (format, text, from, to) => {
    expect(sound(format, text).text).toBe(text.replace(from, to));
  });
});
