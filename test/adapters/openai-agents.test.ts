import { describe, expect, it } from 'vitest';
import type { Part } from '../../src/model/index.ts';
import type { Script, ServedRequest, ServedTurn } from '../../src/provider/scripted/index.ts';
import { agentsRun } from './agents-run.ts';

const calling = (name: string, args: string): ServedTurn => ({ calls: [{ name, arguments: args }] });
const good = calling('read_file', '{"path": "a.ts", "limit": 5}');
const ranGood = { name: 'read_file', input: { path: 'a.ts', limit: 5 } };

/** What was asked; the scripted server makes up the ids of items. */
const bodyOf = (request?: ServedRequest) => JSON.stringify(request?.body ?? '').replaceAll(/"(fc|msg)_\w+"/g, '"$1"');

/** The ids of the calls that a request tells of, or of the results. */
const idsOf = (request: ServedRequest | undefined, type: 'call' | 'result'): string[] =>
  (request?.question?.messages ?? [])
    .flatMap(({ parts }): readonly Part[] => parts)
    .flatMap((part) => (part.type !== type ? [] : part.type === 'call' ? part.id : part.callId))
    .sort();

/** A model that does the same again until something it is told fits. */
const until = (told: RegExp, first: ServedTurn): Script<ServedTurn> => {
  let ran = false;
  return ({ messages }) => {
    if (ran) return 'Done.';
    ran = told.test(JSON.stringify(messages.at(-1)));
    return ran ? good : first;
  };
};

/** Both wires of the SDK's own provider, whole and streamed. */
const ways = [
  { wire: 'chat', responses: false, stream: false },
  { wire: 'chat, streamed', responses: false, stream: true },
  { wire: 'responses', responses: true, stream: false },
  { wire: 'responses, streamed', responses: true, stream: true },
];

describe.each(ways)('OpenAI Agents over $wire', ({ responses, stream }) => {
  const run = (script: Script<ServedTurn>, mends: boolean) => agentsRun(script, { mends, responses, stream });

  it('a valid call runs as it does without it', async () => {
    const [bare, mended] = [await run([good, 'Done.'], false), await run([good, 'Done.'], true)];
    expect(mended).toMatchObject({ ran: [ranGood], said: 'Done.', counted: 2 });
    expect(mended.ran).toEqual(bare.ran);
    expect(mended.requests.map(bodyOf)).toEqual(bare.requests.map(bodyOf));
  });

  it('C2 a truncated call never runs and its limit is reported; without it, it is dropped or thrown', async () => {
    const cut = { calls: [{ name: 'read_file', arguments: '{"path": "a.ts", "li' }], finish: 'length' } as const;
    const script = () => until(/cut off/, cut);
    const bare = await run(script(), false);
    expect(bare.ran).toEqual([]);
    expect(bare.error).toMatch(responses ? /response\.incomplete/ : /Max turns/);
    expect(await run(script(), true)).toMatchObject({ ran: [ranGood], said: 'Done.' });
  });

  it('C5 a name in another spelling is repaired; without it, it throws', async () => {
    const script = [calling('ReadFile', '{"path": "a.ts", "limit": 5}'), 'Done.'];
    expect((await run(script, false)).error).toContain('Tool ReadFile not found');
    expect(await run(script, true)).toMatchObject({ ran: [ranGood], said: 'Done.' });
  });

  it('C5 an invented name is reported with the closest; without it, it throws', async () => {
    const script = () => until(/read_file/, calling('read_the_file', '{}'));
    expect((await run(script(), false)).error).toContain('Tool read_the_file not found');
    expect(await run(script(), true)).toMatchObject({ ran: [ranGood], said: 'Done.' });
  });

  it('C4 a bad call of a known tool and an unknown tool are reported differently', async () => {
    const bad = await run([calling('pick_lines', '{"lines": {"a": 1}}'), 'Done.'], true);
    const unknown = await run([calling('launch', '{}'), 'Done.'], true);
    expect(bodyOf(bad.requests[1])).toContain("Field 'lines' expected array");
    expect(bodyOf(bad.requests[1])).not.toContain('no tool');
    expect(bodyOf(unknown.requests[1])).toContain('launch');
    expect(bodyOf(unknown.requests[1])).not.toContain('Field ');
  });

  it('C6 a call written as text runs; without it, the run ends', async () => {
    const call = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts", "limit": 5}}\n</tool_call>';
    const script = [{ text: `I look.\n${call}`, chunk: 3 }, 'Done.'];
    expect(await run(script, false)).toMatchObject({ ran: [], said: `I look.\n${call}` });
    const mended = await run(script, true);
    expect(mended).toMatchObject({ ran: [ranGood], said: 'Done.' });
    if (stream) expect(mended.heard.replace('\n', '')).toBe('I look.Done.');
  });

  it('C6 a truncated call in text stays text, and all of it is streamed', async () => {
    const text = 'I look. <tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts"}';
    const mended = await run(() => ({ text, chunk: 3, finish: 'length' }), true);
    expect(mended.ran).toEqual([]);
    if (stream) expect(mended.heard).toBe(text);
    // The SDK throws for words that were cut off on the one wire, and takes them on the other.
    expect(mended.error ?? mended.said).toContain(responses ? 'response.incomplete' : text);
  });

  it('S4.6 a call without a name is dropped, and the model gets the list of tools', async () => {
    const { ran, said, requests } = await run([calling('⚙', '{}'), good, 'Done.'], true);
    expect({ ran, said }).toEqual({ ran: [ranGood], said: 'Done.' });
    expect(bodyOf(requests[1])).toContain('The last call named no tool. The tools are: transfer_to_Helper, read_file');
  });

  it('C8 a tool without parameters runs on ""; without it, it does not', async () => {
    const script = [calling('now', ''), 'Done.'];
    expect((await run(script, false)).ran).toEqual([]);
    expect(await run(script, true)).toMatchObject({ ran: [{ name: 'now', input: {} }], said: 'Done.' });
  });

  it('C10 a list sent as text reaches the tool as a list; without it, as text', async () => {
    const script = [calling('pick_lines', '{"lines": "[1, 2]"}'), 'Done.'];
    expect((await run(script, false)).ran).toEqual([{ name: 'pick_lines', input: { lines: '[1, 2]' } }]);
    expect((await run(script, true)).ran).toEqual([{ name: 'pick_lines', input: { lines: [1, 2] } }]);
  });

  it('C12 the same bad call ends the run; without it, the turns run out', async () => {
    const script = () => calling('pick_lines', '{}');
    expect((await run(script, false)).error).toContain('Max turns (10) exceeded');
    const mended = await run(script, true);
    expect({ ran: mended.ran, error: mended.error }).toEqual({ ran: [], error: undefined });
    expect(mended.said).toContain("Nothing was run: 4 responses in a row had a call to 'pick_lines' that can't run.");
    expect(mended.said).toContain("Field 'lines' is required but missing");
    expect(mended.requests).toHaveLength(4);
    if (stream) expect(mended.heard).toBe(mended.said);
  });

  it('C13 a prefix is removed from a name; without it, it throws', async () => {
    const script = [calling('default_api:read_file', '{"path": "a.ts", "limit": 5}'), 'Done.'];
    expect((await run(script, false)).error).toContain('not found');
    expect(await run(script, true)).toMatchObject({ ran: [ranGood], said: 'Done.' });
  });

  it('C15 broken JSON is mended; without it, it never runs and is never explained', async () => {
    const script = [calling('read_file', "{path: 'a.ts', limit: 5,}"), 'Done.'];
    const bare = await run(script, false);
    expect(bare.ran).toEqual([]);
    expect(bodyOf(bare.requests[1])).toContain('Please try again with valid JSON.');
    const mended = await run(script, true);
    expect(mended).toMatchObject({ ran: [ranGood], said: 'Done.' });
    expect(bodyOf(mended.requests[1])).toContain(JSON.stringify('{"path":"a.ts","limit":5}'));
  });

  it("C15 a call that can't be mended is explained, and the next attempt runs", async () => {
    const script = () => until(/Field 'path' is required but missing/, calling('read_file', '{"limit": 5}'));
    expect((await run(script(), false)).error).toContain('Max turns (10) exceeded');
    expect(await run(script(), true)).toMatchObject({ ran: [ranGood], said: 'Done.', counted: 3 });
  });

  it('C19 the next request contains no bad arguments', async () => {
    const { requests } = await run([calling('read_file', '{"path": "a'), 'Done.'], true);
    const args = [...bodyOf(requests[1]).matchAll(/"arguments":("(?:[^"\\]|\\.)*")/g)].map(([, text]) => text);
    expect(args).toHaveLength(1);
    for (const text of args) expect(JSON.parse(JSON.parse(text as string))).toEqual({});
  });

  it('S4.1 a missing field is reported before the tool runs, where the SDK runs it', async () => {
    const script = () => until(/Field 'lines' is required/, calling('pick_lines', '{}'));
    expect((await run(script(), false)).ran).toContainEqual({ name: 'pick_lines', input: {} });
    expect(await run(script(), true)).toMatchObject({ ran: [ranGood], said: 'Done.' });
  });

  it('S4.4 a call without a name is requested again; without it, it throws', async () => {
    const script = [calling('⚙', '{}'), good, 'Done.'];
    expect((await run(script, false)).error).toContain('not found');
    expect(await run(script, true)).toMatchObject({ ran: [ranGood], said: 'Done.' });
  });

  it('a handoff in another spelling is made; without it, it throws', async () => {
    const script = [calling('transferToHelper', ''), 'Helped.'];
    expect((await run(script, false)).error).toContain('not found');
    expect(await run(script, true)).toMatchObject({ said: 'Helped.' });
  });

  it('a nullable field may be omitted, although strict mode requires it', async () => {
    const script = [calling('read_file', '{"path": "a.ts"}'), 'Done.'];
    expect((await run(script, false)).ran).toEqual([]);
    expect((await run(script, true)).ran).toEqual([{ name: 'read_file', input: { path: 'a.ts', limit: null } }]);
  });

  it('a repeated id is separated; without it, it throws or hides a call', async () => {
    const named = (path: string): ServedTurn => ({
      calls: [{ id: 'call_0', name: 'read_file', arguments: JSON.stringify({ path, limit: 5 }) }],
    });
    const script = [named('a.ts'), named('b.ts'), 'Done.'];
    expect((await run(script, false)).error).toContain('reused');
    const { ran } = await run(script, true);
    expect(ran).toEqual([ranGood, { name: 'read_file', input: { path: 'b.ts', limit: 5 } }]);
  });

  it('a valid call runs next to a bad one, and the model gets both results', async () => {
    const both: ServedTurn = {
      calls: [
        { id: 'bad', name: 'launch', arguments: '{}' },
        { id: 'fine', name: 'read_file', arguments: '{"path": "a.ts", "limit": 5}' },
      ],
    };
    expect((await run([both, 'Done.'], false)).error).toContain('Tool launch not found');
    const { ran, said, requests } = await run([both, 'Done.'], true);
    expect({ ran, said }).toEqual({ ran: [ranGood], said: 'Done.' });
    expect(idsOf(requests[1], 'call')).toEqual(['bad', 'fine']);
    expect(idsOf(requests[1], 'result')).toEqual(['bad', 'fine']);
    expect(bodyOf(requests[1])).not.toContain('toolmend');
  });
});

it('C7 calls that all have index 0 are separated; without it, they are one call that fails', async () => {
  const delta = (call: object) =>
    `data: ${JSON.stringify({
      id: 'x',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta: { tool_calls: [{ index: 0, type: 'function', ...call }] }, finish_reason: null }],
    })}\n\n`;
  const end = `data: ${JSON.stringify({
    id: 'x',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }],
  })}\n\ndata: [DONE]\n\n`;
  const call = (id: string, path: string) =>
    delta({ id, function: { name: 'read_file', arguments: `{"path": "${path}", ` } }) +
    delta({ function: { arguments: '"limit": 5}' } });
  const raw = [call('a', 'a.ts') + call('b', 'b.ts') + end];
  const script = (): ServedTurn[] => [{ raw, headers: { 'content-type': 'text/event-stream' } }, 'Done.'];
  expect((await agentsRun(script(), { mends: false, stream: true })).error).toContain('read_fileread_file not found');
  const { ran, said } = await agentsRun(script(), { mends: true, stream: true });
  expect(said).toBe('Done.');
  expect(ran).toEqual(['a.ts', 'b.ts'].map((path) => ({ name: 'read_file', input: { path, limit: 5 } })));
});

it('C2 complete calls of a truncated response run, and the open one is reported', async () => {
  const cut: ServedTurn = {
    calls: [
      { id: 'whole', name: 'read_file', arguments: '{"path": "a.ts", "limit": 5}' },
      { id: 'open', name: 'read_file', arguments: '{"path": "b.t' },
    ],
    finish: 'length',
  };
  for (const [responses, stream] of [
    [false, false],
    [false, true],
    [true, true],
  ] as const) {
    const { ran, said, requests } = await agentsRun([cut, 'Done.'], { mends: true, responses, stream });
    expect({ ran, said }).toEqual({ ran: [{ name: 'read_file', input: { path: 'a.ts', limit: 5 } }], said: 'Done.' });
    expect(JSON.stringify(requests[1]?.body)).toContain('was cut off');
  }
});
