import { expect, it } from 'vitest';
import { entrances } from '../pack.ts';
import { type Ran, runIn, type Stage } from '../stage.ts';

/** Entrances that need a peer as soon as they are imported, and how Node then names the package. */
const needy: Readonly<Record<string, RegExp>> = { 'toolmend/langchain': /package '(?:@langchain\/core|langchain)'/ };

/** What asks for a peer only when it is used: the code that does, and the words that say what to install. */
const asking: readonly (readonly [words: string, code: string])[] = [
  [
    'npm install pg',
    `import { postgresStore } from 'toolmend/postgres'; await postgresStore('postgres://127.0.0.1:1/a')`,
  ],
  [
    'npm install pg-boss pg',
    `import { dispatch } from 'toolmend/dispatch'; await dispatch({ url: 'postgres://127.0.0.1:1/a' })`,
  ],
];

/** Imports every entrance by its name and says of each how many names it exports, or what went wrong. */
const importAll = `
  const seen = {};
  for (const name of ${JSON.stringify(entrances)})
    seen[name] = await import(name).then((all) => Object.keys(all).length, (error) => error.message);
  console.log(JSON.stringify(seen));`;

/** Every entrance by its name, on one version of Node. */
export const entrancesSuite = (stage: () => Stage, version: string): void => {
  const run = (project: string, code: string): Ran =>
    runIn(project, version, ['node', '--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', code]);

  it('runs on that Node and no other', () => {
    expect(run(stage().bare, 'console.log(process.versions.node)').stdout).toBe(`${version}\n`);
  });

  it('imports every entrance where its peers are installed', () => {
    const { status, stdout, stderr } = run(stage().full, importAll);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const seen: Record<string, unknown> = JSON.parse(stdout);
    expect(Object.keys(seen)).toEqual(entrances);
    for (const [name, names] of Object.entries(seen)) expect(names, name).toBeGreaterThan(0);
  });

  it('imports every entrance alone, and those that need a package name it', () => {
    const { status, stdout, stderr } = run(stage().bare, importAll);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const [name, names] of Object.entries(JSON.parse(stdout))) {
      const missing = needy[name];
      if (missing) expect(names, name).toMatch(missing);
      else expect(names, name).toBeGreaterThan(0);
    }
  });

  it('can be required', () => {
    const names = entrances.filter((name) => !(name in needy));
    const code = `const all = ${JSON.stringify(names)}.map((name) => Object.keys(require(name)).length); console.log(Math.min(...all));`;
    const { status, stdout } = runIn(stage().bare, version, [
      'node',
      '--disable-warning=ExperimentalWarning',
      '--eval',
      code,
    ]);
    expect(status).toBe(0);
    expect(Number(stdout)).toBeGreaterThan(0);
  });

  it.each(asking)('says "%s" where that is what is missing', (words, code) => {
    const { status, stderr } = run(stage().bare, code);
    expect(status).toBe(1);
    expect(stderr).toMatch(new RegExp(`${words}$`, 'm'));
  });
};
