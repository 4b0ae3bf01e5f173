import { RE2JS } from 're2js';
import { jsToRe2 } from './js-to-re2.ts';

/** A compiled pattern; `test` looks for it anywhere in the text, in time linear in the text. */
export interface Pattern {
  test(text: string): boolean;
}

const kept = 500;
const longest = 10_000;
const compiled = new Map<string, Pattern | undefined>();

/**
 * Compiles a JSON Schema `pattern` with RE2, so that a stranger's pattern can't hang us. Undefined where RE2 can't
 * run it (lookahead, backreferences, counts over 1000): the checks of definitions say so, and nothing is matched.
 */
export const compilePattern = (source: string): Pattern | undefined => {
  if (compiled.has(source)) {
    const pattern = compiled.get(source);
    compiled.delete(source);
    compiled.set(source, pattern);
    return pattern;
  }
  const pattern = build(source);
  compiled.set(source, pattern);
  if (compiled.size > kept) {
    for (const oldest of compiled.keys()) {
      compiled.delete(oldest);
      break;
    }
  }
  return pattern;
};

const build = (source: string): Pattern | undefined => {
  if (source.length > longest) return undefined;
  try {
    const regexp = RE2JS.compile(RE2JS.translateRegExp(jsToRe2(source)), RE2JS.LOOKBEHINDS);
    return { test: (text) => regexp.test(text) };
  } catch {
    return undefined;
  }
};
