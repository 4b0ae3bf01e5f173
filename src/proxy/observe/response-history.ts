import { checkArgument, isObject, type JsonValue } from '../../json/value.ts';
import type { RunEvent, RunFact } from '../../log/events.ts';
import { checkIsStore } from '../../log/journal.ts';
import type { Store } from '../../log/store.ts';

/** Conversations of the Responses API by response, for clients that only send what is new. */
export interface ResponseHistory {
  /**
   * The items up to a response, including its own; undefined if it is unknown, or another client's.
   *
   * @param client name of the client's key; undefined for all clients without one
   */
  load(id: string, client?: string): Promise<readonly JsonValue[] | undefined>;
  /**
   * Stores the items of a response.
   *
   * @param items the new items of its request, and those of the response
   * @param client name of the client's key
   */
  save(id: string, previous: string | undefined, items: readonly JsonValue[], client?: string): Promise<void>;
}

/** How conversations are stored. */
export interface HistoryOptions {
  /** Removes secrets before storing. */
  readonly redact: (event: RunEvent) => RunEvent;
  /**
   * Number of recent responses to keep.
   * @default all
   */
  readonly last?: number;
}

/** A conversation with more responses is assumed to be a cycle. */
const longest = 10_000;
const format = 'openai-responses';

/** Creates a history that stores each response as a run, with the previous response as its origin. */
export function keepResponses(store: Store, options: HistoryOptions): ResponseHistory {
  checkIsStore(store);
  checkArgument(isObject(options), 'options', '{ redact }', options);
  const { redact, last = Number.POSITIVE_INFINITY } = options;
  const kept: string[] = [];
  /** Responses that are being stored. A client may already refer to them. */
  const saving = new Map<string, Promise<void>>();
  return {
    async load(id, client) {
      await saving.get(id);
      const turns: (readonly JsonValue[])[] = [];
      for (let run: string | undefined = id; run !== undefined; ) {
        const turn: StoredTurn | undefined = turns.length < longest ? await readTurn(store, run) : undefined;
        if (!turn || turn.client !== client) return undefined;
        turns.unshift(turn.items);
        run = turn.previous;
      }
      return turns.flat();
    },
    async save(id, previous, items, client) {
      const value = { items: [...items], ...(client !== undefined && { client }) };
      const from = previous === undefined ? {} : { from: { run: previous, seq: 3 } };
      const facts: RunFact[] = [
        { type: 'run.started', model: { name: '', provider: 'proxy' }, tools: [], ...from },
        {
          type: 'message.added',
          message: { role: 'user', parts: [{ type: 'opaque', format, value }] },
        },
        { type: 'run.ended', end: 'done', message: 'Stored for previous_response_id' },
      ];
      const at = Date.now();
      const saved = store.append(facts.map((fact, index) => redact({ ...fact, run: id, seq: index + 1, at })));
      saving.set(
        id,
        saved.catch(() => {}),
      );
      await saved.finally(() => saving.delete(id));
      if (last === Number.POSITIVE_INFINITY) return;
      kept.push(id);
      if (kept.length > last) await store.remove(kept.shift() as string);
    },
  };
}

interface StoredTurn {
  readonly items: readonly JsonValue[];
  readonly previous: string | undefined;
  readonly client: string | undefined;
}

async function readTurn(store: Store, run: string): Promise<StoredTurn | undefined> {
  let previous: string | undefined;
  for await (const event of store.read(run)) {
    if (event.type === 'run.started') previous = event.from?.run;
    const [part] = event.type === 'message.added' ? event.message.parts : [];
    if (part?.type !== 'opaque' || part.format !== format || !isObject(part.value)) continue;
    const { items, client } = part.value;
    if (Array.isArray(items)) return { items, previous, client: typeof client === 'string' ? client : undefined };
  }
  return undefined;
}
