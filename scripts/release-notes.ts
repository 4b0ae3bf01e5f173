/**
 * Prints the changelog section of a tag's version. Fails if the tag is not the manifest's version or the changelog has
 * no dated section for it. Run: `node scripts/release-notes.ts v0.1.0`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changelogSection } from './changelog-section.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const [tag] = process.argv.slice(2);
const { version } = JSON.parse(read('package.json'));
const section = changelogSection(read('CHANGELOG.md'), version);

if (tag !== `v${version}`) fail(`The tag is ${tag}, the manifest says ${version}.`);
else if (!section) fail(`CHANGELOG.md has no section for ${version}.`);
else if (!/^\d{4}-\d\d-\d\d$/.test(section.date)) fail(`CHANGELOG.md gives ${version} no day: ${section.date}.`);
else console.log(section.notes);

function fail(why: string): void {
  console.error(why);
  process.exitCode = 1;
}
