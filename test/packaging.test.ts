/**
 * The package as it would be published, in the projects of users. One file, so that it is built, packed and installed once:
 * the suites stand in files of their own.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import { nodeVersions } from './packaging/node-of.ts';
import { compilers, type Stage, setStage } from './packaging/stage.ts';
import { contentsSuite } from './packaging/suites/contents.ts';
import { entrancesSuite } from './packaging/suites/entrances.ts';
import { licencesSuite } from './packaging/suites/licences.ts';
import { oldNodeSuite } from './packaging/suites/old-node.ts';
import { typesSuite } from './packaging/suites/types.ts';
import { useSuite } from './packaging/suites/use.ts';

let set: Stage;
beforeAll(() => {
  set = setStage();
}, 600_000);
afterAll(() => set?.close());
const stage = (): Stage => set;

describe('the package', () => contentsSuite(stage));
describe('what comes with it', () => licencesSuite(stage));
describe('the command line on an old Node', () => oldNodeSuite(stage));
describe.each(nodeVersions)('installed in an empty project, on Node %s', (version) => {
  entrancesSuite(stage, version);
  useSuite(stage, version);
});
describe.each(compilers)('its types, by TypeScript %s', (version) => typesSuite(stage, version));
