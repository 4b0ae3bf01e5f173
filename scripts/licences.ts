import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Lists the packages that files in `node_modules` belong to, with their licences, as Markdown. */
export const licencesOf = (files: Iterable<string>): string => {
  const folders = [...new Set([...files].map(packageFolder))];
  const sections = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const [file] = globSync('{LICEN[CS]E,licen[cs]e}{,.*}', { cwd: folder });
    const text =
      file === undefined ? 'The package has no licence file.' : readFileSync(join(folder, file), 'utf8').trim();
    return { name: String(name), section: `## ${name} - ${version} (${license})\n\n${text}\n` };
  });
  sections.sort((a, b) => a.name.localeCompare(b.name));
  const lead = '# Licences\n\nThe package contains code of these packages:\n';
  return [lead, ...sections.map(({ section }) => section)].join('\n');
};

/** The folder of the package that a file belongs to: the nearest one whose manifest has a version. */
const packageFolder = (file: string): string => {
  const folder = dirname(file);
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest) && 'version' in JSON.parse(readFileSync(manifest, 'utf8'))) return folder;
  return packageFolder(folder);
};
