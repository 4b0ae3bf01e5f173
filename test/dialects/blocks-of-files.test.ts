/** A name and braces without markers are a call if they contain JSON. In other notations, they are blocks of a file. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { ranCalls, toolWith } from './toolboxes.ts';

const string = { type: 'string' } as const;
const toolbox = new Toolbox([
  toolWith('service', { name: string, port: { type: 'integer' } }, 'write', { required: ['name'] }),
  toolWith('backup', { path: string, schedule: string }, 'write'),
  toolWith('notify', { message: string }, 'write'),
  toolWith('button', { label: string, color: string }, 'write', { required: ['label'] }),
  toolWith('query', { sql: string }, 'read'),
  toolWith('transfer', { from: string, to: string }, 'write'),
  toolWith('turn_on', { device: string }, 'write'),
  toolWith('time', {}, 'read'),
]);
const ways = ['auto', 'prompted', 'mistral', 'gemma4', 'hermes', 'kimi-k2', 'harmony'] as const;

function expectText(text: string) {
  for (const way of ways)
    for (const chunk of [undefined, 1, 7]) {
      const options = way === 'prompted' ? { prompted: true } : { dialect: way };
      const read = readCalls(text, toolbox, { ...options, ...(chunk && { chunk }) });
      expect([way, read.text, read.calls.map(({ name, status }) => `${name} ${status}`)]).toEqual([way, text, []]);
    }
}

const blocks: Readonly<Record<string, string>> = {
  HCL: 'service {\n  name = "web"\n  port = 8080\n}',
  'nested HCL': 'service {\n  name = "web"\n  check {\n    type = "http"\n  }\n}',
  'HCL with comments': 'backup {\n  path     = "/srv"   # without the cache\n  schedule = "daily"\n}',
  'text format of Protocol Buffers': 'backup {\n  path: "/srv"\n  schedule: "daily"\n}',
  'text format in a line': 'backup { path: "/srv" schedule: "daily" }',
  Lua: 'notify { message = "Volume: 50%" }',
  'a printed record': "transfer{from='DE12', to='DE99'}",
  'a Rust struct': 'query {\n    sql: String,\n}',
  'a Go literal': 'button{label: "OK", color: "red"}',
  'words without quotes': 'turn_on { device: lamp }',
  'a value without quotes': 'turn_on {"device": lamp}',
  GraphQL: 'query {\n  users(limit: 10) { id name }\n}',
  'GraphQL in a line': 'query { viewer { login } }',
  'a shorthand': 'query { sql }',
  CSS: 'button {\n  color: red;\n}',
  'CSS in a line': 'button { label: none; color: #fff }',
  'nested CSS': 'button {\n  a { color: red; }\n}',
  Puppet: "notify { 'deployed':\n  message => 'The site was deployed.',\n}",
  'Puppet without fields': "notify { 'message': }",
  Gradle: "notify {\n  message 'done'\n}",
  nginx: 'notify {\n  message done;\n}',
  Logstash: 'notify {\n  message { hosts => ["localhost:9200"] }\n}',
  EDN: 'backup {:path "/srv" :schedule "daily"}',
  Swift: 'button { print("tapped") }',
  'an empty rule': 'time {}',
  'an empty rule of a tool that needs values': 'button {}',
  'arrows between quotes': 'turn_on {"device" => "lamp"}',
  'fields without commas': 'backup {"path": "/srv" "schedule": "daily"}',
  'fields with semicolons': 'backup {"path": "/srv"; "schedule": "daily"}',
};

describe('blocks in other notations', () => {
  it.each(Object.entries(blocks))('are text: %s', (_, text) => expectText(text));
  it.each(Object.entries(blocks))('are text in a fence: %s', (_, text) => expectText(`\`\`\`\n${text}\n\`\`\``));
  it.each(Object.entries(blocks))('are text one after the other: %s', (_, text) => expectText(`${text}\n\n${text}`));

  it('are text beside a call', () => {
    const text = `${blocks.HCL}\nturn_on{"device": "lamp"}`;
    expect(readCalls(text, toolbox)).toMatchObject({ text, calls: [] });
  });

  it('are text after reasoning', () => {
    for (const options of [{}, { prompted: true }, { dialect: 'hermes' }]) {
      const { text, calls } = readCalls(`<think>A block for Consul.</think>\n${blocks.HCL}`, toolbox, options);
      expect([text.trim(), calls]).toEqual([blocks.HCL, []]);
    }
  });

  const expectTextAfter = (head: string) => {
    for (const block of [blocks.HCL, blocks.CSS, blocks.Lua]) {
      const text = head + block;
      expect(readCalls(text, toolbox)).toMatchObject({ text, calls: [] });
    }
  };
  it.each(['functions.', 'to=functions.', 'commentary to=functions.', ':'])('are text after %j', expectTextAfter);
  it.each(['data ', 'resource '])('guard: are text after %j', expectTextAfter);

  it.each(['[service] { name = "web" }', '[tool: turn_on] {device: lamp}', '[backup] { path: "a" schedule: "b" }'])(
    'are text after a label: %s',
    (text) => expectText(text),
  );

  it('are text if they are cut off', () => {
    const text = 'service {\n  name = "we';
    expect(readCalls(text, toolbox, { truncated: true })).toMatchObject({ text, calls: [] });
  });
});

describe('guard: calls whose markers were removed', () => {
  const lamp = [['turn_on', { device: 'lamp' }]];

  it.each([
    'turn_on{"device": "lamp"}',
    'turn_on {"device": "lamp"}',
    'turn_on\n{\n  "device": "lamp"\n}',
    "turn_on{'device': 'lamp'}",
    'turn_on{"device": "lamp",}',
    'turn_on{"device": "lamp"}}',
    'functions.turn_on:0{"device": "lamp"}',
    'commentary to=functions.turn_on json{"device": "lamp"}',
    'call:turn_on{device:<|"|>lamp<|"|>}',
    'call:turn_on{device:lamp}',
    'turn_on{"device": "lamp"}</s>',
    '[tool: turn_on] {"device": "lamp"}',
  ])('%s', (text) => expect(ranCalls(text, toolbox)).toEqual(lamp));

  it('of tools without arguments', () => {
    expect(ranCalls('time{}', toolbox)).toEqual([['time', {}]]);
    expect(ranCalls('functions.time:0{}', toolbox)).toEqual([['time', {}]]);
  });

  it('one after the other', () =>
    expect(ranCalls('turn_on{"device": "lamp"}\ntime{}', toolbox)).toEqual([...lamp, ['time', {}]]));

  it('with values that look like other notations', () => {
    const sql = 'query { a: b; c = "d" }';
    expect(ranCalls(`query${JSON.stringify({ sql })}`, toolbox)).toEqual([['query', { sql }]]);
  });

  it('with faults in their JSON', () => {
    const statusOf = (text: string) => readCalls(text, toolbox).calls.map(({ name, status }) => `${name} ${status}`);
    expect(statusOf('service{"name": "web", "port": "http"}')).toEqual(['service invalid']);
    expect(statusOf('turn_on{"device": "lam')).toEqual(['turn_on invalid']);
    expect(statusOf('turn_on{"device": "lamp"')).toEqual(['turn_on invalid']);
  });
});
