import { describe, expect, it } from 'vitest';
import { exampleNames, examplesOf } from '../../../test/dialects/examples.ts';
import { readExample as read, wantedOf as wanted } from '../../../test/dialects/read-example.ts';
import { dialects } from './index.ts';

describe.each(dialects.map(({ name }) => name))('%s', (name) => {
  const examples = examplesOf(name);

  it('has examples', () => expect(examples.length).toBeGreaterThan(0));

  it.each(examples.map((example) => [example.text, example] as const))('reads %j', (_, example) => {
    expect(read(example, name)).toEqual(wanted(example));
  });

  it('reads its examples the same in chunks', () => {
    for (const example of examples) {
      for (const chunk of [1, 2, 3, 7, 64]) expect(read(example, name, chunk)).toEqual(read(example, name));
    }
  });

  // These two have no mark of their own to be found by.
  const found =
    name.startsWith('functionary-v32') || name === 'content-only' ? [] : examples.filter((one) => !one.named);
  it('is detected by its marker', () => {
    for (const example of found) expect(read(example, 'auto').calls).toEqual(wanted(example).calls);
  });
});

it('has a row for every example', () => {
  const names = dialects.map(({ name }) => name);
  expect(exampleNames.filter((name) => !names.includes(name))).toEqual([]);
});

it('has unique names', () => {
  const names = dialects.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
