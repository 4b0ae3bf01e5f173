import { expect, it } from 'vitest';
import { typeErrors } from './type-errors.ts';

const entries = { words: 'src/json/value.ts' };

it('finds nothing in code that is right, and resolves the package to its source', () => {
  const code = `import type { Path } from 'words';\nconst path: Path = ['a', 0];\nconst unused = await path;`;
  expect(typeErrors([{ code, where: 'page.md:1' }], entries)).toEqual([]);
});

it('says where the fault is, and keeps examples apart', () => {
  const good = { code: `const a: number = 1;`, where: 'page.md:1' };
  const bad = { code: `const a: number = 'one';`, where: 'page.md:9' };
  expect(typeErrors([good, bad], entries)).toEqual(["page.md:9: Type 'string' is not assignable to type 'number'."]);
});

it('guard: resolves relative imports from the project, and reports one that is not there', () => {
  const good = { code: `import type { Path } from './src/json/value.ts';\nconst path: Path = [];`, where: 'page.md:1' };
  const bad = { code: `import { none } from './src/json/none.ts';\nnone();`, where: 'page.md:5' };
  expect(typeErrors([good, bad], entries)).toEqual([
    expect.stringMatching(/^page\.md:5: Cannot find module '\.\/src\/json\/none\.ts'/),
  ]);
});

it('guard: reports text that is no TypeScript', () => {
  expect(typeErrors([{ code: 'const = 1;', where: 'page.md:1' }], entries)).not.toEqual([]);
});
