import type { RunEvent } from '../../src/log/events.ts';
import type { Store } from '../../src/log/store.ts';

const models = ['model-a', 'model-b', 'model-c'];
const tools = ['read_file', 'write_file', 'pattern_search', 'fs_multi_edit'];
const repairs = ['comma', 'quote', 'type', 'fence'] as const;

/** Fills a store with runs of a few calls each, so many events in all; the same ones every time. */
export async function manyRuns(store: Store, atLeast: number): Promise<{ runs: number; events: number }> {
  let events = 0;
  let runs = 0;
  for (; events < atLeast; runs++) {
    const made = runOf(runs);
    await store.append(made);
    events += made.length;
  }
  return { runs, events };
}

function runOf(index: number): RunEvent[] {
  const facts: object[] = [
    { type: 'run.started', model: { name: models[index % 3], provider: 'made' }, tools },
    { type: 'message.added', message: { role: 'user', parts: [{ type: 'text', text: `Question ${index} of many` }] } },
  ];
  for (let turn = 1; turn <= 3; turn++) {
    const id = `call_${turn}`;
    const name = tools[(index + turn) % 4] ?? '';
    const call = { type: 'call', id, name, arguments: '{"path": "a.ts",}' };
    const bad = (index + turn) % 11 === 0;
    const mended = (index + turn) % 3 === 0;
    const judged = { callId: id, call, name, input: { path: 'a.ts' } };
    const repair = { path: ['path'], kind: repairs[(index + turn) % 4], before: ',', certainty: 'lossless' };
    const result = { type: 'result', callId: id, content: [{ type: 'text', text: 'seen' }] };
    facts.push(
      { type: 'turn.requested', turn },
      {
        type: 'turn.completed',
        turn,
        response: { message: { role: 'assistant', parts: [call] }, finish: 'tool_calls' },
      },
    );
    if (bad)
      facts.push({
        ...judged,
        type: 'call.refused',
        repairs: [],
        errorType: 'validation',
        recommendations: [],
        attempt: 1,
        result,
        problems: [{ path: ['path'], code: 'required', expected: 'string', message: "Field 'path' is required" }],
      });
    else
      facts.push(
        { ...judged, type: mended ? 'call.mended' : 'call.accepted', repairs: mended ? [repair] : [] },
        { type: 'tool.started', callId: id, name, input: {}, key: id, effect: 'read', repeat: 'once' },
        { type: 'tool.finished', callId: id, name, ok: true, result, ms: 3 },
      );
  }
  facts.push({ type: 'run.ended', end: 'done', message: 'Done', own: (index % 40) / 10 });
  const at = 1_790_000_000_000 + index * 20_000;
  // Made of plain facts: what is left out of their types plays no part in a list.
  return facts.map((fact, seq) => ({ ...fact, run: `run_${index}`, seq: seq + 1, at: at + seq * 50 }) as RunEvent);
}
