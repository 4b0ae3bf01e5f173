import { tourPrompt, tourScript } from '../../src/cli/tour/script.ts';
import type { RunEvent } from '../../src/log/events.ts';
import type { Script } from '../../src/provider/scripted/script.ts';
import type { Stage } from './stage.ts';

const minute = 60_000;

const reads: Script = [
  { text: 'I read it.', calls: [{ name: 'read_file', arguments: "{path: 'src/app.ts'}" }] },
  'It greets whoever starts it.',
];
const searches: Script = [
  { calls: [{ name: 'pattern_search', arguments: '{"pattern": "TODO", "files": "src/list.ts"}' }] },
  'One TODO is left, in src/list.ts.',
];
const plain: Script = [
  { calls: [{ name: 'read_file', arguments: '{"path": "src/list.ts", "limit": 5}' }] },
  'It exports a list of names, which is empty.',
];
const fails: Script = [
  { calls: [{ name: 'read_file', arguments: '{"path": "src/gone.ts"}' }] },
  'There is no such file.',
];
const forgets: Script = [
  { calls: [{ name: 'write_file', arguments: '{"content": "export {};"}' }] },
  { calls: [{ name: 'write_file', arguments: '{"path": "src/new.ts", "content": "export {};",}' }] },
  'Written.',
];

/** What is asked, by whom, and how it goes. */
const plots: readonly (readonly [asked: string, model: string, script: Script])[] = [
  ['What does src/app.ts do?', 'coder-30b', reads],
  ['Which TODOs are left?', 'scout-17b', searches],
  ['What is in the list?', 'coder-30b', plain],
  ['Read the file that Ada mentioned', 'small-8b', fails],
  ['Add an empty module', 'scout-17b', forgets],
  ['Explain the entry point to a newcomer', 'coder-30b', reads],
  ['Is there anything left to do before the release?', 'small-8b', searches],
];

/** Plays an afternoon of runs, and gives the one that shows most; it waits for a person. */
export async function sampleRuns(set: Stage, times = 6): Promise<string> {
  const runs: string[] = [];
  for (let index = 0; index < times * plots.length; index++) {
    const [asked, model, script] = plots[(index * 5 + (index % 3)) % plots.length] ?? ['', '', []];
    const run = set.play(script, asked, model);
    await run.result;
    runs.push(run.id);
  }
  const last = set.play(tourScript(), tourPrompt, 'coder-30b');
  await last.result;
  runs.push(last.id);
  await spread(set, runs);
  return last.id;
}

/** A script is over in no time: its runs are put apart, as an afternoon would have them, and their turns take a while. */
async function spread({ store }: Stage, runs: readonly string[]): Promise<void> {
  for (const [index, run] of runs.entries()) {
    const events: RunEvent[] = [];
    for await (const event of store.read(run)) events.push(event);
    await store.remove(run);
    let at = Date.now() - (runs.length - index) * 4 * minute + (index % 5) * 40_000;
    await store.append(
      events.map((event) => {
        at += event.type === 'turn.completed' ? 1800 + ((index * 700) % 2500) : event.type === 'tool.finished' ? 14 : 2;
        return { ...event, at };
      }),
    );
  }
}
