/**
 * Keeps the words that CONTRIBUTING.md rules out from coming back: in exported names and file names (the table of words), and in
 * pages, help and messages (the table of phrases).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean);
const sources = files.filter((file) => /^(src|web)\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
const pages = files.filter((file) => /^(README|SECURITY|CONTRIBUTING)\.md$|^docs\/.*\.md$/.test(file));

/** The last column of the table below a heading of CONTRIBUTING.md, as a list of words. */
function banned(heading: string): string[] {
  const [, section = ''] = read('CONTRIBUTING.md').split(`\n${heading}\n`);
  const table = section.slice(section.indexOf('\n| --- '), section.indexOf('\n\n', section.indexOf('\n| --- ')));
  return table
    .split('\n')
    .flatMap((row) => row.split('|').at(-2)?.split(',') ?? [])
    .map((word) => word.trim().toLowerCase())
    .filter((word) => /^[a-z]/.test(word));
}

/** `readKeyValueLines` and `key-value-lines.ts` as words. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

/** Names that a file declares and exports. */
function exportedNames(file: string): string[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
    const { name } = statement as ts.Statement & { name?: ts.Identifier };
    return name ? [name.text] : [];
  });
}

/** Text that people may read: string literals and templates, without imports and comments. */
function literals(file: string): string {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isJsxText(node)
    )
      texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts.join('\n');
}

/** Exported names and files that may hold a word of the table, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  'src/dialect/placement/question.ts': 'recognizes sentences that ask something; a question is what it reads',
};

describe('guard: the vocabulary', () => {
  const words = new Set(banned('### Vocabulary'));
  const phrases = banned('### Phrases');

  it('is read from CONTRIBUTING.md', () => {
    expect(words.size).toBeGreaterThan(20);
    expect(phrases.length).toBeGreaterThan(3);
  });

  it('keeps its words out of exported names', () => {
    const found = sources
      .filter((file) => !(file in allowed))
      .flatMap((file) =>
        exportedNames(file)
          .filter((name) => wordsOf(name).some((word) => words.has(word)))
          .map((name) => `${file}: ${name}`),
      );
    expect(found).toEqual([]);
  });

  it('keeps its words out of file names', () => {
    const found = sources.filter((file) => !(file in allowed) && wordsOf(file).some((word) => words.has(word)));
    expect(found).toEqual([]);
  });

  it('keeps its phrases out of pages, help and messages', () => {
    const pattern = new RegExp(`\\b(${phrases.join('|')})\\b`, 'i');
    const text = (file: string): string => {
      if (!file.endsWith('.md')) return literals(file);
      // The tables themselves are no use of what they rule out.
      return file === 'CONTRIBUTING.md' ? read(file).replace(/### Phrases\n[\s\S]*?(?=\n#)/, '') : read(file);
    };
    const found = [...pages, ...sources].filter((file) => pattern.test(text(file)));
    expect(found).toEqual([]);
  });

  it('has a reason for every exception, and no exception without a file', () => {
    expect(Object.keys(allowed).filter((file) => !sources.includes(file))).toEqual([]);
  });
});
