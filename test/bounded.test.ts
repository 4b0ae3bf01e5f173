import { describe, expect, it } from 'vitest';
import { feedback } from '../src/mend/feedback/feedback.ts';
import { mend } from '../src/mend/mend.ts';
import { tool } from '../src/tools/tool.ts';
import { Toolbox } from '../src/tools/toolbox.ts';
import { type Grown, shapes } from './bounded-shapes.ts';
import { growthOf } from './cpu-of.ts';
import { stepsOf } from './steps-of.ts';

/** A call from the definition to the feedback of the third try, on a schema that nobody has checked. */
const call = ({ schema, args }: Grown) => {
  const take = tool({ name: 'take', description: 'Takes it', effect: 'read', inputSchema: schema });
  const toolbox = new Toolbox([take], { validate: false });
  const outcome = mend({ name: 'take', arguments: args }, toolbox);
  if (outcome.status === 'invalid') for (const tries of [1, 2, 3]) feedback(outcome, { attempt: tries, toolbox });
};

/** Twice the size may take three times the steps; what is worked out once for any size comes on top. */
const [mostGrowth, once] = [3, 60_000];

describe('F7 F30 work grows with the size and no faster', () => {
  it.each(Object.entries(shapes))('%s', (_, { from, doublings, grown }) => {
    const steps = Array.from({ length: doublings + 1 }, (_, i) => grown(from * 2 ** i)).map((one) =>
      stepsOf(() => call(one), 5_000_000),
    );
    for (const [i, more] of steps.entries()) {
      const less = steps[i - 1];
      if (less !== undefined) expect(more, steps.join(', ')).toBeLessThan(less * mostGrowth + once);
    }
  });
});

describe('F30 a part that a definition taken as given shares in memory is looked at once', () => {
  it.each([
    [5, 16],
    [5, 64],
    ['z', 16],
    ['z', 64],
  ])('%j at depth %i', (q, depth) => {
    let looks = 0;
    const watched = {
      ownKeys: (one: object) => {
        looks += 1;
        return Reflect.ownKeys(one);
      },
    };
    let schema: object = new Proxy({ type: 'object', properties: { q: { type: 'integer' } } }, watched);
    let value: unknown = { q };
    for (let i = 0; i < depth; i += 1) {
      schema = { type: 'object', properties: { a: schema, b: schema } };
      value = { a: value };
    }
    call({ schema: { type: 'object', properties: { x: schema } }, args: { x: value } });
    expect(looks).toBeLessThan(3000);
  });
});

describe('a name that is no text makes no call and throws nothing', () => {
  const toolbox = new Toolbox([tool({ name: 'take', description: 'Takes it', effect: 'read' })]);
  const bare = Object.create(null);
  const hostile = {
    toString() {
      throw new Error('no');
    },
  };
  const isRefused = (name: unknown): void => {
    const outcome = mend({ name, arguments: '{}' } as never, toolbox);
    expect(outcome).toMatchObject({ status: 'invalid', errorType: 'unknown_tool', name: '' });
    if (outcome.status === 'invalid') expect(feedback(outcome, { toolbox }).text).toContain('take');
  };
  it.each([[{}], [bare], [hostile], [['take']], [{ name: 'take' }], [() => 'take'], [Symbol('take')]])('%#', isRefused);
  it('guard: an empty list', () => isRefused([]));
  it.each([[null], [undefined], [5], [true], [10n]])('guard: %s', (name) => {
    expect(mend({ name, arguments: '{}' } as never, toolbox)).toMatchObject({ errorType: 'unknown_tool' });
  });
});

describe('F7 a long name costs no more than its length', () => {
  const toolbox = new Toolbox([tool({ name: 'take', description: 'Takes it', effect: 'read' })]);
  const names: Readonly<Record<string, (n: number) => string>> = {
    'spaces behind arguments': (n) => `take{}${' '.repeat(n)}x`,
    'spaces before arguments': (n) => `take${' '.repeat(n)}x`,
    closers: (n) => `take{${'}'.repeat(n)}x`,
    tokens: (n) => `take{}${'<|a|>'.repeat(n / 4)}x`,
    prefixes: (n) => 'functions.'.repeat(n / 10),
    'open tokens': (n) => '<|a'.repeat(n / 4),
  };
  it.each(Object.entries(names))('guard: %s', (_, make) => {
    const [small, large] = [make(20_000), make(80_000)];
    const run = (name: string) => () => mend({ name, arguments: '' }, toolbox);
    expect(growthOf(run(small), run(large), { bar: 8, floor: 4 }).ratio).toBeLessThan(8);
  });
});

describe('F30 a definition taken as given whose references lead in a circle throws nothing', () => {
  const circle = (n: number, word: string) => ({
    type: 'object',
    properties: { x: { $ref: '#/$defs/d0' } },
    required: ['x'],
    $defs: Object.fromEntries(
      Array.from({ length: n }, (_, i) => [
        `d${i}`,
        {
          [word]: [
            { $ref: `#/$defs/d${(i + 1) % n}` },
            { type: 'object', properties: { c: { $ref: `#/$defs/d${(i + 7) % n}` } }, required: ['c'] },
          ],
        },
      ]),
    ),
  });
  it.each(
    ['anyOf', 'oneOf', 'allOf'].flatMap((word) =>
      [1, 2, 3, 20, 200].map((n) => [word === 'allOf' ? 'guard: ' : '', word, n] as const),
    ),
  )('%s%s of %i', (_, word, n) => {
    for (const x of [{ c: { c: 1 } }, { c: { d: 1 } }, 'z', [{ c: 1 }], null])
      expect(() => call({ schema: circle(n, word), args: { x } })).not.toThrow();
  });
});
