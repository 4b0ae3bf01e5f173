/** Compares the pages in docs/agents with the table of agents. `UPDATE_PAGES=1` writes the settings into the pages. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agents } from '../../src/cli/launch/agents.ts';

const docs = join(import.meta.dirname, '../../docs');
const folder = 'FOLDER';
const session = {
  url: 'http://127.0.0.1:PORT',
  token: 'TOKEN',
  model: 'MODEL',
  context: 32_768,
  output: 8192,
  hosted: false,
  folder,
  home: '/nowhere',
  env: {},
};

/** The settings of an agent as a table. Several variables with one value share a row. */
function settingsTable(agent: (typeof agents)[number]): string {
  const { env, args, files } = agent.settings(session);
  const values = new Map<string, string[]>();
  for (const [name, value] of Object.entries(env)) {
    const shown = value === undefined ? 'removed' : `\`${value}\``;
    values.set(shown, [...(values.get(shown) ?? []), `\`${name}\``]);
  }
  const flags = args.flatMap((arg, index) => (index % 2 === 0 ? [[arg, args[index + 1] ?? '']] : []));
  const rows = [
    ...[...values].map(([value, names]) => [`variable ${names.join(', ')}`, value]),
    ...flags.map(([flag, value]) => [`flag \`${flag}\``, `\`${value}\``]),
    ...Object.keys(files).map((name) => [`file \`${folder}/${name}\``, 'deleted at the end']),
  ];
  const lines = rows.map(([setting, value]) => `| ${setting} | ${value?.replaceAll('|', '\\|')} |`);
  return ['| Setting | Value |', '| --- | --- |', ...lines].join('\n');
}

describe.each(agents.map((agent) => ({ name: agent.name, agent })))('the page of $name', ({ name, agent }) => {
  const file = join(docs, 'agents', `${name}.md`);

  it('has the settings of the table', () => {
    const text = readFileSync(file, 'utf8');
    const expected = `<!-- settings -->\n${settingsTable(agent)}\n<!-- /settings -->`;
    const updated = text.replace(/<!-- settings -->[\s\S]*<!-- \/settings -->/, () => expected);
    if (process.env.UPDATE_PAGES) writeFileSync(file, updated);
    expect(updated).toContain(expected);
    expect(readFileSync(file, 'utf8')).toBe(updated);
  });

  it('has the command, and what crosses', () => {
    const text = readFileSync(file, 'utf8');
    expect(text.startsWith(`# ${agent.label}\n`)).toBe(true);
    expect(text).toContain(`npx toolmend launch ${name}\n`);
    expect(text).toContain('\n## What the model receives\n');
    expect(text).toContain('\n## Tested versions\n');
  });

  it('is linked from the guide', () => {
    expect(readFileSync(join(docs, 'guides/launch.md'), 'utf8')).toContain(`](../agents/${name}.md)`);
  });
});

it('there is no page of an unknown agent', () => {
  const pages = readdirSync(join(docs, 'agents')).filter((file) => file.endsWith('.md'));
  expect(pages.sort()).toEqual(agents.map(({ name }) => `${name}.md`).sort());
  expect(existsSync(join(docs, 'guides/launch.md'))).toBe(true);
});
