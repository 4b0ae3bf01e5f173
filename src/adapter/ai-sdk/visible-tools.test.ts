import { asSchema } from 'ai';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mend } from '../../mend/mend.ts';
import type { ToolSpec } from '../../model/index.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { visibleToolbox } from './visible-tools.ts';

/** A tool as the SDK shows it: its schema written anew each time. */
const shown = async (schema: Parameters<typeof asSchema>[0]): Promise<ToolSpec[]> => [
  { type: 'function', name: 'read', schema: (await asSchema(schema).jsonSchema) as JsonSchema },
];
const nothing = (): undefined => undefined;
const judged = (specs: ToolSpec[], given: unknown, own: (name: string) => unknown = nothing) =>
  mend({ name: 'read', arguments: JSON.stringify(given) }, visibleToolbox(specs, own));

describe('shownToolbox', () => {
  const small = z.object({ n: z.number().refine((n) => n < 5) });
  const large = z.object({ n: z.number().refine((n) => n > 5) });

  it('is the same for the same tools, even if their schemas are created again', async () => {
    expect(visibleToolbox(await shown(small), nothing)).toBe(visibleToolbox(await shown(small), nothing));
  });

  it('distinguishes tools that look the same but validate differently', async () => {
    const [one, other] = [await shown(small), await shown(large)];
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
    expect([judged(one, { n: 1 }).status, judged(other, { n: 1 }).status]).toEqual(['ok', 'invalid']);
  });

  it("reports a key that resembles another, even if the tool's own validation accepts it", async () => {
    const specs = await shown(z.object({ path: z.string(), limit: z.number().optional() }));
    expect(judged(specs, { path: 'a', limt: 5 }).problems).toMatchObject([{ code: 'unknown' }]);
    expect(judged(specs, { path: 'a', Limit: 5 })).toMatchObject({ status: 'mended', input: { path: 'a', limit: 5 } });
    expect(judged(specs, { path: 'a', colour: 5 })).toMatchObject({ input: { path: 'a' }, note: expect.any(String) });
  });

  it('uses the JSON Schema if the validation is asynchronous', async () => {
    const specs = await shown(z.object({ n: z.number().refine(async (n) => n < 5) }));
    expect(judged(specs, { n: '7' })).toMatchObject({ status: 'mended', input: { n: 7 } });
    expect(judged(specs, {}).status).toBe('invalid');
  });

  it('uses the original schema of a tool for its checks, if it receives the tools', async () => {
    const own = v.object({
      n: v.pipe(
        v.number(),
        v.check((n) => n < 5),
      ),
    });
    const specs: ToolSpec[] = [
      {
        type: 'function',
        name: 'read',
        schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      },
    ];
    expect(judged(specs, { n: 7 }).status).toBe('ok');
    expect(judged(specs, { n: 7 }, () => own).status).toBe('invalid');
  });
});
