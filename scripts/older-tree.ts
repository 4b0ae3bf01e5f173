/** Prepares the source of an older commit for today's tests, even if modules were moved since. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { absence } from './compare-runs.ts';
import { declarersOf, exportsOf, type Moved, olderExport } from './older-exports.ts';

const root = join(import.meta.dirname, '..');
const isTest = (file: string): boolean => file.endsWith('.test.ts');
const isCode = (file: string): boolean => /\.tsx?$/.test(file) && !file.endsWith('.d.ts');
/** The source is the older commit's. The tests and everything they use are today's. */
const isSource = (file: string): boolean => /^(?:src|web)\//.test(file) && !isTest(file);
const textOf = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function newTree(folder: string): string {
  const tree = join(folder, 'repo');
  mkdirSync(tree, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  const shared = join(root, '..', 'shared');
  if (existsSync(shared)) symlinkSync(shared, join(folder, 'shared'));
  return tree;
}

/** Checks out a commit, with its own tests. */
export function olderTree(folder: string, commit: string): string {
  const tree = newTree(folder);
  const tar = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', tree], { input: tar });
  return tree;
}

/**
 * Lays out today's files, and replaces each source file with one that re-exports from `older`. An export that is missing
 * there is a value that throws when it is used.
 */
export function overlaidTree(folder: string, files: readonly string[], older: string, moved: Moved): string {
  const tree = newTree(folder);
  addGetters(older, moved);
  const listed = execFileSync('find', ['src', 'web', '-type', 'f'], { cwd: older, encoding: 'utf8' }).split('\n');
  const declarers = declarersOf(
    listed.filter((file) => isCode(file) && !isTest(file)),
    (file) => textOf(join(older, file)),
  );
  for (const file of files.filter((one) => existsSync(join(root, one)))) {
    const target = join(tree, file);
    if (!isSource(file)) {
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(root, file), target);
    } else if (isCode(file)) put(target, standIn(file, tree, older, declarers, moved));
    else if (existsSync(join(older, file))) put(target, readFileSync(join(older, file), 'utf8'));
  }
  return tree;
}

function addGetters(older: string, { getters }: Moved): void {
  for (const [place, names] of Object.entries(getters)) {
    const [file = '', name] = place.split('#');
    for (const [now, was] of Object.entries(names))
      appendFileSync(
        join(older, file),
        `\nObject.defineProperty(${name}.prototype, '${now}', { get() { return this.${was}; } });\n`,
      );
  }
}

function standIn(
  file: string,
  tree: string,
  older: string,
  declarers: ReadonlyMap<string, readonly string[]>,
  moved: Moved,
): string {
  const from = (other: string): string => JSON.stringify(relative(dirname(join(tree, file)), join(older, other)));
  const lines = exportsOf(file, (one) => textOf(join(root, one))).map((name) => {
    const [there, was] = olderExport(file, name, declarers, moved)?.split('#') ?? [];
    const options = moved.options[`${there}#${was}`];
    const method = moved.methods[`${there}#${was}`];
    if (there !== undefined && (options ?? method) !== undefined)
      return [
        `import { ${was} as older_${name} } from ${from(there)};`,
        `export const ${name} = adapted(older_${name}, ${JSON.stringify(options ?? [])}, ${JSON.stringify(method)});`,
      ].join('\n');
    if (there !== undefined) return `export { ${was} as ${name} } from ${from(there)};`;
    return `${name === 'default' ? 'export default' : `export const ${name} =`} absent(${JSON.stringify(name)});`;
  });
  if (lines.length === 0 && existsSync(join(older, file))) lines.push(`import ${from(file)};`);
  if (lines.some((line) => line.includes('absent('))) lines.push(absent);
  if (lines.some((line) => line.includes('adapted('))) lines.push(adapted);
  return `${lines.join('\n')}\n`;
}

const absent = `function absent(name) {
  const fail = () => { throw new Error(name + ${JSON.stringify(` ${absence}`)}); };
  return new Proxy(function () {}, { apply: fail, construct: fail, get: fail, has: fail, ownKeys: fail });
}`;

/** Calls an older function or class with the older names of its options. Only plain objects are renamed, and policies in them. */
const adapted = `function adapted(target, options, method) {
  const isPlain = (value) => value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;
  const rename = (value, names) => {
    if (!isPlain(value) || names === undefined) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => {
      if (key === 'policy') return [key, rename(one, { minCertainty: 'accept' })];
      if (key === 'validate') return ['definitions', one === false ? 'given' : 'checked'];
      return [names[key] ?? key, one];
    }));
  };
  const older = (args) => args.map((value, at) => rename(value, options[at]));
  return new Proxy(target, {
    apply: (call, self, args) => {
      if (method === undefined) return Reflect.apply(call, self, older(args));
      return { [method]: () => Reflect.apply(call, self, older(args)) };
    },
    construct: (made, args, type) => Reflect.construct(made, older(args), type),
  });
}`;
