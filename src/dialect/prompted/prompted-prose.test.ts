import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { readPrompted } from './index.ts';

/** Recorded answers that lie beside the repository; where they are not there, this is skipped. */
const recorded = new URL('../../../../shared/bfcl/', import.meta.url);

interface Case {
  readonly id: string;
  readonly category: string;
  readonly tools: readonly { readonly name: string; readonly inputSchema: unknown }[];
}
interface Answer {
  readonly id: string;
  readonly result: unknown;
}

const lines = <T>(path: string): T[] =>
  readFileSync(new URL(path, recorded), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

/**
 * Whether a person would say that nothing is called here, told without our reader: sentences, no code in a fence, no
 * line that begins with a bracket, no marker, and no tool's name with a value behind its bracket.
 */
function isProse(text: string, names: readonly string[]): boolean {
  if (!/^\s*[A-Z][\w',’]* [a-z]/.test(text) || text.length < 40) return false;
  if (/```|^\s*[[{<]|<\w+>|"name"|'name'/m.test(text)) return false;
  const plain = text.replaceAll('\\_', '_').replaceAll('.', '_').toLowerCase();
  return !names.some((name) => {
    const folded = name.replaceAll('.', '_').toLowerCase();
    const at = plain.indexOf(`${folded}(`);
    return at >= 0 && /[='"\d]/.test(plain.slice(at + folded.length, at + folded.length + 60));
  });
}

describe.skipIf(!existsSync(recorded))('recorded responses in prose', () => {
  it('contain no call, although the models were prompted for calls', () => {
    const cases = new Map(lines<Case>('cases.jsonl').map((one) => [one.id, one]));
    let prose = 0;
    let hard = 0;
    const called: string[] = [];
    for (const file of readdirSync(new URL('responses', recorded))) {
      for (const { id, result } of lines<Answer>(`responses/${file}`)) {
        const asked = cases.get(id);
        if (asked?.category !== 'irrelevance' || typeof result !== 'string') continue;
        const names = asked.tools.map(({ name }) => name);
        if (!isProse(result, names)) continue;
        prose++;
        if (names.some((name) => result.includes(name)) && /[([{]/.test(result)) hard++;
        const tools = asked.tools.map(({ name, inputSchema }) => tool({ name, description: '', inputSchema }));
        const { calls, text } = readPrompted(result, new Toolbox(tools, { validate: false }));
        if (calls.length > 0 || text !== result) called.push(result);
      }
    }
    expect(prose).toBeGreaterThan(1000);
    // Those that name a tool and hold brackets are where a reader could go wrong.
    expect(hard).toBeGreaterThan(50);
    expect(called).toEqual([]);
  });
});
