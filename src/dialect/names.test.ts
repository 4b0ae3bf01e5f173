import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dialects } from './dialects/index.ts';

const sources = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('dialects/'))
  .map((file) => [file, readFileSync(new URL(file, import.meta.url), 'utf8')] as const);

/** The code alone: a comment may show what a reader of it knows. */
const code = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');

/** Words of a family's name that are a model's and nothing else's. */
const models = dialects
  .flatMap(({ families }) => families.match(/\b[A-Z][A-Za-z]*[a-z][A-Za-z]+\b/g) ?? [])
  .filter((word) => !['Super', 'Small', 'Nano', 'Flash', 'Command', 'Step', 'Seed'].includes(word));

/** Names of rows that are no words of ours, or of what they name. */
const rows = dialects
  .map(({ name }) => name)
  .filter((name) => !['react', 'dots', 'pythonic', 'content-only', 'json-array', 'json-fence'].includes(name));

describe('names', () => {
  it('of models and dialects appear only in the table', () => {
    expect(models.length).toBeGreaterThan(30);
    for (const [file, text] of sources) {
      const found = [...new Set([...models, ...rows])].filter((name) =>
        new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(code(text)),
      );
      expect(found, file).toEqual([]);
    }
  });

  const cases = new URL('../../../shared/dialects/cases.jsonl', import.meta.url);
  it.skipIf(!existsSync(cases))('of recorded cases appear in no source', () => {
    const ids = readFileSync(cases, 'utf8').match(/(?<=^\{"id": ")[^"]+/gm) ?? [];
    expect(ids.length).toBeGreaterThan(600);
    for (const [file, text] of sources)
      expect(
        ids.filter((id) => text.includes(id)),
        file,
      ).toEqual([]);
  });
});
