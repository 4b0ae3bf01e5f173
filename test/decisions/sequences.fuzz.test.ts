import { runs } from '../sample.ts';
import { stores } from './scene.ts';
import { sequenceSuite } from './sequence-suite.ts';

for (const [name, open] of stores) sequenceSuite(name, open, runs(300));
