import { join } from 'node:path';
import { rivalSuite } from './rival-suite.ts';

rivalSuite('sqlite', async (folder) => join(folder, 'runs.db'));
