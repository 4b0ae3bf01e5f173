/** Properties stand where they belong: no object or list is spread from a literal, as CONTRIBUTING.md says. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The lines of a source on which a literal is spread into a literal. */
function spreadLiterals(text: string): number[] {
  // Few files need the syntax tree.
  if (!/\.\.\.\(*[[{]/.test(text)) return [];
  const source = ts.createSourceFile('a.tsx', text, ts.ScriptTarget.Latest, true);
  const lines: number[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isSpreadAssignment(node) || ts.isSpreadElement(node)) {
      let { expression } = node;
      while (ts.isParenthesizedExpression(expression)) expression = expression.expression;
      if (ts.isObjectLiteralExpression(expression) || (ts.isArrayLiteralExpression(expression) && !isArgument(node)))
        lines.push(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return lines;
}

const isArgument = ({ parent }: ts.Node): boolean => ts.isCallExpression(parent) || ts.isNewExpression(parent);

it('finds a spread literal', () => {
  expect(spreadLiterals('const a = {\n  ...{ b: 1 },\n};')).toEqual([2]);
  expect(spreadLiterals('const a = [...(b ? [1] : []), ...[2]];')).toEqual([1]);
  expect(spreadLiterals('const a = { ...(b && { c: 1 }), ...d };')).toEqual([]);
});

it('no source spreads a literal', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const found = files.flatMap((file) =>
    spreadLiterals(readFileSync(join(root, file), 'utf8')).map((line) => `${file}:${line}`),
  );
  expect(found).toEqual([]);
});
