import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mendValue } from '../mend-value.ts';
import type { ValueSoFar } from './value-stream.ts';

const Person = z.object({ name: z.string(), age: z.number() });
const text = '{"name": "Ada Lovelace", "age": "36"}';

async function* chunks(source: string, size: number, closed?: () => void): AsyncGenerator<string> {
  try {
    for (let at = 0; at < source.length; at += size) yield source.slice(at, at + size);
  } finally {
    closed?.();
  }
}

async function* broken(): AsyncGenerator<string> {
  yield '{"name": "Ada", ';
  throw new Error('disconnected');
}

const collect = async (stream: AsyncIterable<ValueSoFar>): Promise<unknown[]> => {
  const values: unknown[] = [];
  for await (const { value } of stream) values.push(structuredClone(value));
  return values;
};

describe('leaving the loop', () => {
  it('closes the source, and the result is that of a truncated text', async () => {
    let closed = false;
    const stream = mendValue(
      chunks(text, 5, () => {
        closed = true;
      }),
      Person,
    );
    for await (const _ of stream) break;
    expect(closed).toBe(true);
    expect(await stream.result).toMatchObject({ status: 'invalid', errorType: 'truncated' });
    expect(await collect(stream)).toEqual([]);
  });

  it('guard: accepts a value that was already complete', async () => {
    const stream = mendValue(chunks(`${text} and a note`, text.length), Person);
    for await (const _ of stream) break;
    expect(await stream.result).toMatchObject({ value: { name: 'Ada Lovelace', age: 36 } });
  });

  it('never closes brackets that the source may still have sent', async () => {
    const stream = mendValue(chunks('{"name": "Ada", "age": 36 ', 40), Person);
    for await (const _ of stream) break;
    expect((await stream.result).status).toBe('invalid');
  });
});

describe('the result and a loop together', () => {
  it('gives a loop every update if the result was requested right before it', async () => {
    const alone = await collect(mendValue(chunks(text, 3), Person));
    const stream = mendValue(chunks(text, 3), Person);
    const { result } = stream;
    expect(await collect(stream)).toEqual(alone);
    expect((await result).status).toBe('mended');
  });

  it('reads on if the result is awaited inside the loop, which then gets the latest value', async () => {
    const stream = mendValue(chunks(text, 3), Person);
    const values: unknown[] = [];
    for await (const { value } of stream) {
      values.push(structuredClone(value));
      if (values.length === 1) expect((await stream.result).status).toBe('mended');
    }
    expect(values).toHaveLength(2);
    expect(values[1]).toEqual({ name: 'Ada Lovelace', age: 36 });
  });

  it('guard: reads the text once for several results', async () => {
    const stream = mendValue(chunks(text, 3), Person);
    const [one, other] = await Promise.all([stream.result, stream.result]);
    expect(one).toBe(other);
  });
});

describe('an error of the source', () => {
  it('surfaces in the loop, rejects the result and never settles it as a value', async () => {
    const stream = mendValue(broken(), z.object({ name: z.string() }));
    await expect(collect(stream)).rejects.toThrow('disconnected');
    await expect(stream.result).rejects.toThrow('disconnected');
    expect(await collect(stream)).toEqual([]);
  });

  it('is no unhandled rejection of a result that was requested before', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    const stream = mendValue(broken(), Person);
    const { result } = stream;
    await expect(collect(stream)).rejects.toThrow('disconnected');
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
    await expect(result).rejects.toThrow('disconnected');
  });
});

describe('truncated', () => {
  it('is decided when the text ends', async () => {
    let finishReason: string | undefined;
    async function* source(): AsyncGenerator<string> {
      yield '{"name": "Ada", "age": 36 ';
      finishReason = 'length';
    }
    const stream = mendValue(source(), Person, { finishReason: () => finishReason });
    expect(await stream.result).toMatchObject({ errorType: 'truncated', finishReason: 'length' });
    finishReason = undefined;
    const closed = mendValue(chunks('{"name": "Ada", "age": 36 ', 4), Person, { finishReason: () => finishReason });
    expect((await closed.result).status).toBe('mended');
  });
});
