import { readFileSync } from 'node:fs';
import { positionOf, scanSpans } from '../../json/spans.ts';
import { UsageError } from '../usage-error.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a directory',
  EACCES: 'permission denied',
};

/** Reads a configuration: JSON that may have comments and trailing commas. Errors include the line. */
export const readConfigFile = (file: string): unknown => parsed(file, withoutComments(readText(file))).value;

/** Reads a JSON file. Errors include the line. */
export const readJsonFile = (file: string): { readonly text: string; readonly value: unknown } =>
  parsed(file, readText(file));

/** Strings, which may contain the signs of a comment; comments; and commas before a closing bracket. */
const tokens = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g;

/** Replaces comments and trailing commas by spaces, so that the positions of errors stay the same. */
const withoutComments = (text: string): string =>
  text.replace(tokens, (token) => (token.startsWith('"') ? token : token.replace(/[^\n]/g, ' ')));

function parsed(file: string, text: string): { readonly text: string; readonly value: unknown } {
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
