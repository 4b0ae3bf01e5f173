import { readFileSync } from 'node:fs';
import { positionOf, scanSpans } from '../../json/spans.ts';
import { UsageError } from '../usage-error.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a directory',
  EACCES: 'permission denied',
};

/** Reads a JSON file. Errors include the line. */
export function readJsonFile(file: string): { readonly text: string; readonly value: unknown } {
  const text = readText(file);
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    const offset = scanSpans(text) ?? text.length;
    const { line, column } = positionOf(text, offset);
    const found = offset < text.length ? `unexpected ${JSON.stringify(text[offset])}` : 'unexpected end of file';
    throw new UsageError(`${file}:${line}:${column}: invalid JSON: ${found}`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw new UsageError(`${file}: ${reasons[code] ?? String((error as Error).message)}`);
  }
}
