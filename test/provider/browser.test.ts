import { expect, it } from 'vitest';
import { bundle } from '../../scripts/bundle.ts';

it('the provider entry loads where there is no Node: the clients ask for what they need of it at run time', async () => {
  const code = await bundle('src/provider/index.ts', 'all');
  expect(code).not.toMatch(/\b(?:from|import)\s*\(?["']node:/);
});
