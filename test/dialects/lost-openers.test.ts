import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

/** A call that lost its opener stays text, so the calls next to it must not run without it. */

const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const;
const toolbox = new Toolbox([
  tool({ name: 'get_weather', description: 'Tells the weather', effect: 'read', inputSchema }),
]);

const writes = (city: string) => ({ name: 'get_weather', arguments: { city } });
const both = (dialect: string): string => renderCalls([writes('Oslo'), writes('Rome')], dialect, toolbox);

/** The cities of the calls that run. */
function run(text: string, dialect: string): string {
  const { calls } = readCalls(text, toolbox, { dialect });
  for (const chunk of [1, 7]) expect(readCalls(text, toolbox, { dialect, chunk }).calls).toEqual(calls);
  return calls.flatMap(({ status, input }) => (status === 'invalid' ? [] : [(input as { city: string }).city])).join();
}

/** Rows whose calls have no closer and no marker behind the name, or are framed: without its opener, nothing marks a call. */
const unmarked =
  /^(?:muse-glimmer|harmony|inkling|cline-xml|llama3-json|gigachat3|react|functionary-v32|content-only)$/;
const opener = /\]<\]minimax\[>\[<[^<>\n]*>|<[^<>\n]*>|\[\/?[A-Z_]{3,}\]/g;

describe.each(dialects.map(({ name }) => name).filter((name) => !unmarked.test(name)))('%s', (dialect) => {
  it('runs no call alone if the other one lost an opener', () => {
    const text = both(dialect);
    for (const { 0: marker, index } of text.matchAll(opener)) {
      if (index > text.indexOf('get_weather')) break;
      for (const lead of ['', 'I will check both.\n'])
        for (const way of [dialect, 'auto']) {
          const damaged = lead + text.slice(0, index) + text.slice(index + marker.length);
          const isReported = readCalls(damaged, toolbox, { dialect: way }).calls.length > 1;
          expect([damaged, way, isReported || run(damaged, way)]).not.toEqual([damaged, way, 'Rome']);
        }
    }
  });
});

describe('mistral', () => {
  const rome = '[TOOL_CALLS]get_weather[ARGS]{"city": "Rome"}';
  const oslo = 'get_weather[ARGS]{"city": "Oslo"}';

  it.each([
    ['before', `${oslo}${rome}`],
    ['before, with an id', `get_weather[CALL_ID]a1[ARGS]{"city": "Oslo"}${rome}`],
    ['after a sentence', `Both now.\n${oslo}${rome}`],
    ['behind', `${rome}${oslo}`],
    ['between', `${rome}${oslo}${rome}`],
  ])('refuses calls %s a call without its opener', (_, text) => {
    for (const dialect of ['mistral', 'auto']) expect(run(text, dialect)).toBe('');
  });

  it('keeps the text of the call without its opener', () => {
    expect(readCalls(`${rome}${oslo}`, toolbox, { dialect: 'mistral' }).text).toBe(oslo);
  });

  it.each([
    ['alone', oslo, 'Oslo'],
    ['in code', `Use \`${oslo}\`.\n${rome}`, 'Rome'],
    ['in a fence', `The form is:\n\`\`\`\n${oslo}\n\`\`\`\n${rome}`, 'Rome'],
    ['in a sentence', `Use ${oslo} as the format.\n${rome}`, 'Rome'],
    ['of no tool', `other[ARGS]{"city": "Oslo"}\n${rome}`, 'Rome'],
    ['as a word', `The [ARGS] marker follows the name.\n${rome}`, 'Rome'],
  ])('guard: reads a call with an inner marker %s', (_, text, city) => {
    for (const dialect of ['mistral', 'auto']) expect(run(text, dialect)).toBe(city);
  });
});

describe('a closer without its opener', () => {
  const rome = '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>';

  it.each([
    ['after the rest of a call', '", "arguments": {"city": "Oslo"}}</tool_call>\n', ''],
    ['after a call', '{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>\n', ''],
    ['after a sentence', 'Now the weather.</tool_call>\n', 'Rome'],
    ['missing after an object', 'My plan: {"step": 1}\n', 'Rome'],
  ])('%s', (_, lead, city) => {
    for (const dialect of ['hermes', 'auto']) expect(run(lead + rome, dialect)).toBe(city);
  });
});

describe('harmony: a name with the type of the content behind it', () => {
  const schema = { type: 'object', properties: { path: { type: 'string' } } } as const;
  const of = (...names: readonly string[]) =>
    new Toolbox(names.map((name) => tool({ name, description: 'Reads', effect: 'read', inputSchema: schema })));
  const read = (written: string, tools: Toolbox) =>
    readCalls(`<|channel|>commentary to=functions.${written}<|message|>{"path": "a"}<|call|>`, tools, {
      dialect: 'harmony',
    }).calls.map(({ status, name, repairs }) =>
      status === 'invalid' ? 'none' : `${name} ${repairs.every(({ certainty }) => certainty === 'lossless')}`,
    );

  it.each([
    ['readjson', ['read', 'read_json'], 'none'],
    ['readjson ', ['read', 'read_json'], 'none'],
    ['pagejson', ['page', 'pageJson'], 'none'],
    ['read_json', ['read'], 'none'],
    ['readjson', ['read', 'other'], 'read false'],
    ['readjson', ['other', 'read_json'], 'read_json true'],
    ['readjson', ['read', 'readjson'], 'readjson true'],
    ['read_json', ['read', 'read_json'], 'read_json true'],
    ['readJson', ['read', 'read_json'], 'read_json true'],
    ['read json', ['read', 'read_json'], 'read true'],
    ['readjson <|constrain|>json', ['read', 'read_json'], 'read_json true'],
    ['read_json<|constrain|>json', ['read', 'read_json'], 'read_json true'],
  ])('%s of %j: %s', (written, names, result) => {
    expect(read(written, of(...names))).toEqual([result]);
  });
});
