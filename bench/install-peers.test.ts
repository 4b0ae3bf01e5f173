import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { peerPackages } from './peer-packages.ts';

it('peers come in exact versions', () => {
  for (const version of Object.values(peerPackages)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

it('the package and its peers are measured in the version that the tests use', () => {
  const own: Record<string, string> = manifest.devDependencies;
  for (const [name, version] of Object.entries(peerPackages))
    expect([name, own[name] ?? version]).toEqual([name, version]);
});
