import { isObject, type JsonValue, type Path } from '../../json/value.ts';
import type { Format } from '../../model/index.ts';
import { repairArguments, repairNote } from '../../provider/compat/repair-arguments.ts';

/** A call in the history of a request: where its arguments stand, and what they are. */
interface PastCall {
  readonly path: Path;
  readonly name: JsonValue | undefined;
  readonly given: JsonValue | undefined;
}

/** A body whose history every server can read, and what was changed for that. */
interface SoundHistory {
  readonly body: Buffer;
  readonly changes: readonly string[];
}

/**
 * A request's body, with the arguments of past calls that are no JSON object mended or, where that can't be, empty: one bad
 * call in the history would make servers refuse every request from then on. Nothing else in it changes.
 */
export function repairHistory(format: Format, value: JsonValue, body: Buffer): SoundHistory {
  const splices: Splice[] = [];
  const changes: string[] = [];
  const asText = format === 'openai-chat' || format === 'openai-responses';
  for (const { path, name, given } of pastCalls[format](value)) {
    // Some servers take objects where text should stand.
    if (given === undefined || isObject(given)) continue;
    const { arguments: sound, kind } = repairArguments(String(name ?? ''), given);
    if (kind === 'kept' && asText) continue;
    const written = typeof sound === 'string' ? sound : JSON.stringify(sound);
    splices.push({ path, json: asText ? JSON.stringify(written) : written });
    changes.push(`${path.join('.')}: ${repairNote[kind === 'dropped' ? 'dropped' : 'mended']}`);
  }
  return { body: splices.length > 0 ? spliceJson(body, splices) : body, changes };
}

/** Where each wire keeps the calls of its history. */
const pastCalls: Readonly<Record<Format, (value: JsonValue) => PastCall[]>> = {
  'openai-chat': chatCalls,
  'openai-responses': (value) =>
    listIn(value, 'input').flatMap((item, at) =>
      isObject(item) && item.type === 'function_call'
        ? [{ path: ['input', at, 'arguments'], name: item.name, given: item.arguments }]
        : [],
    ),
  anthropic: (value) =>
    listIn(value, 'messages').flatMap((message, at) =>
      listIn(message, 'content').flatMap((block, place) =>
        isObject(block) && block.type === 'tool_use'
          ? [{ path: ['messages', at, 'content', place, 'input'], name: block.name, given: block.input }]
          : [],
      ),
    ),
  gemini: (value) =>
    listIn(value, 'contents').flatMap((content, at) =>
      listIn(content, 'parts').flatMap((part, place) => {
        const call = isObject(part) ? part.functionCall : undefined;
        const path = ['contents', at, 'parts', place, 'functionCall', 'args'];
        return isObject(call) ? [{ path, name: call.name, given: call.args }] : [];
      }),
    ),
  ollama: chatCalls,
};

function chatCalls(value: JsonValue): PastCall[] {
  return listIn(value, 'messages').flatMap((message, at) =>
    listIn(message, 'tool_calls').flatMap((call, place) => {
      const made = isObject(call) ? call.function : undefined;
      const path = ['messages', at, 'tool_calls', place, 'function', 'arguments'];
      return isObject(made) ? [{ path, name: made.name, given: made.arguments }] : [];
    }),
  );
}

const none: readonly JsonValue[] = [];

/** A list in an object; none where there is no such list. */
function listIn(value: JsonValue, key: string): readonly JsonValue[] {
  const list = isObject(value) ? value[key] : undefined;
  return Array.isArray(list) ? list : none;
}

/** A value of a JSON text, and the JSON that is to stand in its place. */
interface Splice {
  readonly path: Path;
  readonly json: string;
}

type Wanted = Map<string | number, Wanted | Splice>;

/**
 * Puts values into JSON text; all around them stays to the byte, so that caches of what was sent before still hit.
 *
 * @param bytes sound JSON that holds every path; of a repeated key the last counts, as it does for a parser
 */
function spliceJson(bytes: Buffer, splices: readonly Splice[]): Buffer {
  // One character for each byte: everything that matters here is ASCII.
  const text = bytes.toString('latin1');
  const spans = new Map<Splice, readonly [from: number, to: number]>();
  valueAt(text, 0, wantedOf(splices), spans);
  const ordered = [...spans].sort(([, [one]], [, [other]]) => one - other);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const [{ json }, [start, end]] of ordered) {
    pieces.push(bytes.subarray(from, start), Buffer.from(json));
    from = end;
  }
  return Buffer.concat([...pieces, bytes.subarray(from)]);
}

function wantedOf(splices: readonly Splice[]): Wanted {
  const root: Wanted = new Map();
  for (const splice of splices) {
    let at = root;
    for (const key of splice.path.slice(0, -1)) {
      const next = at.get(key);
      const inner: Wanted = next instanceof Map ? next : new Map();
      at.set(key, inner);
      at = inner;
    }
    at.set(splice.path.at(-1) as string | number, splice);
  }
  return root;
}

/** Reads the value that begins at a place, as deep as something is wanted of it; gives where it ends. */
function valueAt(
  text: string,
  start: number,
  wanted: Wanted | Splice | undefined,
  spans: Map<Splice, readonly [number, number]>,
): number {
  const from = space(text, start);
  const opener = text[from];
  if (!(wanted instanceof Map) || (opener !== '{' && opener !== '[')) {
    const end = skip(text, from);
    if (wanted && !(wanted instanceof Map)) spans.set(wanted, [from, end]);
    return end;
  }
  let at = space(text, from + 1);
  for (let index = 0; text[at] !== '}' && text[at] !== ']'; index += 1) {
    let key: string | number = index;
    if (opener === '{') {
      const end = skip(text, at);
      key = JSON.parse(text.slice(at, end)) as string;
      at = space(text, end) + 1;
    }
    at = space(text, valueAt(text, at, wanted.get(key), spans));
    if (text[at] === ',') at = space(text, at + 1);
  }
  return at + 1;
}

/** Where a value ends that nobody looks into: without recursion, because it may be as deep as it likes. */
function skip(text: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const char = text[at];
    if (char === '"') at = stringEnd(text, at);
    else if (char === '{' || char === '[') {
      depth += 1;
      at += 1;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      at += 1;
    } else if (depth > 0) at += 1;
    else return wordEnd(text, at);
  } while (depth > 0 && at < text.length);
  return at;
}

function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !' \n\r\t,]}'.includes(text[at] as string)) at += 1;
  return at;
}

function space(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \n\r\t'.includes(text[at] as string)) at += 1;
  return at;
}
