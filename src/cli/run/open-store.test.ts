import { expect, it } from 'vitest';
import { openStore, storeLabel } from './open-store.ts';

it.each([
  ['runs.db', 'runs.db'],
  ['postgres://db/agents', 'postgres://db/agents'],
  ['postgres://user:canary@db:5432/agents', 'postgres://…@db:5432/agents'],
  ['postgresql://user:can@ary@db/agents?sslmode=require', 'postgresql://…@db/agents'],
  ['postgres://db/agents?user=me&password=canary', 'postgres://db/agents'],
  ['postgres://user:can/ary#@db/agents', 'postgres://…'],
])('F23 %s is shown as %s', (address, shown) => {
  expect(storeLabel(address)).toBe(shown);
});

it('F23 refuses an invalid address without showing its password', async () => {
  const address = 'postgres://user:canary@[/agents';
  const said = await openStore(address).then(String, (error: unknown) => error as Error);
  expect(said).toMatchObject({ name: 'UsageError' });
  expect(String((said as Error).stack)).not.toContain('canary');
});
