import { join } from 'node:path';
import { crashSuite, newFolder } from './crash-suite.ts';

crashSuite('sqlite', async () => ({ address: join(newFolder(), 'runs.db'), run: 'run_crash' }));
