import { describe, expect, it } from 'vitest';
import { equal, type JsonValue } from '../../src/json/value.ts';
import { mendValue } from '../../src/mend/mend-value.ts';
import type { FinishReason } from '../../src/model/index.ts';
import { mendWith, named, open, string, strings } from './mend-with.ts';

const schema = open({ to: strings, body: string, meta: open({ n: { type: 'integer' } }), count: { type: 'integer' } });
const value = { to: ['ann@x.io', 'bob@x.io'], body: 'Please cancel it unless she agrees', meta: { n: 12 }, count: 345 };
const other = { count: 345, meta: { n: 12 }, to: ['ann@x.io'], body: 'Please cancel it unless she agrees' };

const json = JSON.stringify(value);
const pretty = JSON.stringify(value, null, 2);
const written = (item: unknown): string => (typeof item === 'string' ? item : JSON.stringify(item));
const joined = (one: object, between: string, field: (key: string, item: unknown) => string): string =>
  Object.entries(one)
    .map(([key, item]) => field(key, item))
    .join(between);
const lines = (one: object, sign = ': '): string => joined(one, '\n', (key, item) => `${key}${sign}${written(item)}`);
const tags = joined(value, '\n', (key, item) => `<${key}>${written(item)}</${key}>`);
const parameters = joined(value, '\n', (key, item) => `<parameter name="${key}">${written(item)}</parameter>`);
const keywords = joined(value, ', ', (key, item) => `${key}=${JSON.stringify(item)}`);
const inner = 'write "yes" or "no" in it';
const code = 'if (x == "y") { run("a", {"b": "c"}) } else "go"';

/** Every notation of arguments, each complete. */
const notations: Readonly<Record<string, string>> = {
  json,
  pretty,
  'json in a fence': `\`\`\`json\n${pretty}\n\`\`\``,
  lines: lines(value),
  'lines, text last': lines(other),
  'lines with =': lines(value, '='),
  'lines in a fence': `\`\`\`yaml\n${lines(value)}\n\`\`\``,
  'lines in a fence, text last': `\`\`\`yaml\n${lines(other)}\n\`\`\``,
  'lines with quoted values': joined(value, '\n', (key, item) => `${key}: ${JSON.stringify(item)}`),
  'lines with quoted keys': joined(value, '\n', (key, item) => `"${key}": ${JSON.stringify(item)}`),
  'lines with commas': joined(value, ',\n', (key, item) => `${key}: ${JSON.stringify(item)}`),
  'lines of YAML': 'to: [ann@x.io, bob@x.io]\nmeta: {n: 12}\nbody: Please cancel it\ncount: 345',
  'lines after reasoning': `<think>Who?</think>\n${lines(value)}`,
  'lines as text': JSON.stringify(lines(value)),
  tags,
  parameters,
  'tags in the tool': `<${named}>\n${tags}\n</${named}>`,
  'parameters in the call': `<invoke name="${named}">\n${parameters}\n</invoke>`,
  attributes: `<${named} to='["ann@x.io"]' body="Please cancel" count="345"/>`,
  'a Python call': `${named}(${keywords})`,
  'a call of the object': `${named}(${json})`,
  'a wrapper': `{"arguments": ${json}}`,
  'a wrapper of text': JSON.stringify({ arguments: json }),
  'an envelope': `{"name": "${named}", "arguments": ${json}}`,
  'text of json': JSON.stringify(json),
  'text of text of json': JSON.stringify(JSON.stringify(json)),
  'a list of one': `[${json}]`,
  'single quotes': json.replaceAll('"', "'"),
  'curly quotes': json.replaceAll('"', '”'),
  'bare keys': json.replace(/"(\w+)":/g, '$1:'),
  'no commas': pretty.replaceAll(',\n', '\n'),
  entities: json.replaceAll('"', '&quot;'),
  'wide punctuation': json.replaceAll(':', '：').replaceAll(',', '，'),
  'a comment': pretty.replace('"body"', '// the text\n  "body"'),
  'prose around': `Here you go:\n${json}\nThat is all of it.`,
  'inner quotes': `{"to": ["ann@x.io"], "body": "${inner}", "count": 345}`,
  'inner quotes at the end': `{"to": ["ann@x.io"], "body": "${inner}"}`,
  'inner quotes in code': `{"to": ["ann@x.io"], "body": "${code}"}`,
  'inner quotes in lines': `to: ["ann@x.io"]\nbody: ${code}`,
};

/** Refused even where they are complete. */
const unread = [
  'lines in a fence',
  'lines in a fence, text last',
  'lines with quoted keys',
  'inner quotes in code',
  'inner quotes in lines',
];

describe('C2 a message that ended by length has no call that lost something', () => {
  it.each(Object.entries(notations))('%s', (name, text) => {
    const complete = mendWith(schema, text);
    expect(complete.status === 'invalid').toBe(unread.includes(name));
    const same = (input: unknown) => equal(input as JsonValue, complete.input as JsonValue);
    const output = mendValue(text, schema);
    for (let at = 0; at <= text.length; at++) {
      const cut = text.slice(0, at);
      for (const finishReason of ['length', 'max_tokens', 'MAX_TOKENS'] as FinishReason[]) {
        const { status, input } = mendWith(schema, cut, { finishReason });
        expect(status === 'invalid' || same(input), cut).toBe(true);
      }
      const read = mendValue(cut, schema, { truncated: true });
      const isWhole = equal(read.input as JsonValue, output.input as JsonValue);
      expect(read.status === 'invalid' || isWhole, cut).toBe(true);
    }
  });

  it.each([
    ['a list before an open text', 'to: ["ann@x.io"]\nbody: Please cancel the order unl'],
    ['an object before an open number', 'meta: {"n": 1}\ncount: 34'],
    ['an open fence', '```yaml\nto: ["ann@x.io"]\nbody: Please cancel the order unl'],
    ['a list alone', 'to: ["ann@x.io"]'],
    ['tags that are all closed', '<body>Please</body>'],
    ['a call', `${named}(body="Please")`],
    ['nothing', `${named}()`],
  ])('%s is read only if the message ended otherwise', (_, text) => {
    expect(mendWith(schema, text)).toMatchObject({ status: 'mended' });
    expect(mendWith(schema, text, { finishReason: 'stop' })).toMatchObject({ status: 'mended' });
    expect(mendWith(schema, text, { finishReason: 'length' })).toMatchObject({
      status: 'invalid',
      errorType: 'truncated',
    });
  });

  it.each(['json', 'json in a fence', 'single quotes', 'text of json', 'a wrapper', 'prose around', 'a list of one'])(
    'guard: %s shows that it is complete',
    (name) => {
      expect(mendWith(schema, notations[name], { finishReason: 'length' }).status).not.toBe('invalid');
    },
  );
});
