import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toolContext } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { statefulTool } from './stateful-tool.ts';

describe('S3.8 a stateful tool', () => {
  it('S3.4 is checked when it is added', () => {
    const broken = statefulTool({ name: 't', description: 'T', create: 5 as never, execute: () => 1 });
    expect(() => new Toolbox([broken])).toThrow('create is not a function');
  });

  it('runs on the instance its scope keeps', async () => {
    const kept = new Map<object, unknown>();
    const scope = {
      async use<T>(key: object, open: () => T | Promise<T>): Promise<T> {
        if (!kept.has(key)) kept.set(key, await open());
        return kept.get(key) as T;
      },
    };
    const count = statefulTool({
      name: 'count',
      description: 'Counts',
      inputSchema: z.object({ by: z.number() }),
      create: () => ({ sum: 0 }),
      execute: (state, { by }) => {
        state.sum += by;
        return state.sum;
      },
    });
    const context = toolContext({ scope });
    await count.executor?.execute({ by: 2 }, context);
    expect(await count.executor?.execute({ by: 3 }, context)).toBe(5);
  });
});
