/** Native calls whose values hold the markers of dialects: what stands in a value is the tool's affair. */
import { describe, expect, it } from 'vitest';
import { mendTurn } from '../../src/adapter/mend-turn.ts';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { renderCalls } from '../../src/dialect/index.ts';
import { mend, Toolbox, tool } from '../../src/index.ts';

const text = { type: 'string' } as const;
const strings = { type: 'array', items: text } as const;
const toolbox = new Toolbox([
  tool({
    name: 'write_file',
    description: 'Writes a file',
    inputSchema: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
  }),
  tool({
    name: 'delete_notes',
    description: 'Deletes notes',
    effect: 'destructive',
    inputSchema: { type: 'object', properties: { ids: strings, reason: text }, required: ['ids'] },
  }),
]);

/** Every marker of every dialect, and a whole call in each. */
const markers = [
  ...new Set(
    dialects.flatMap((row) => {
      const { forms, sections = [], think = [], drop = [], frame } = row;
      const templates = [
        ...forms.flatMap(({ open, close = [], param = '' }) => [open, ...close, ...param.split('{value}')]),
        ...sections.flat(),
        ...think.flat(),
        ...drop,
        ...(frame ? [...frame.open, frame.message, ...frame.end, frame.write] : []),
      ];
      return [...templates.map(literal), ...whole(row.name)];
    }),
  ),
].filter((marker) => marker.trim() !== '');

function literal(template: string): string {
  return template
    .replaceAll('~', '')
    .replace(/^\^/, '')
    .replace(/\{(\w+)\}/g, '$1');
}

function whole(dialect: string): string[] {
  try {
    return [renderCalls([{ name: 'delete_notes', arguments: { ids: ['7'] } }], dialect, toolbox)];
  } catch {
    return [];
  }
}

const around: readonly ((marker: string) => string)[] = [
  (marker) => `The marker ${marker} is explained below.`,
  (marker) => `# Notes\n\n${marker}\n\nSee the manual.`,
  (marker) => `const opener = ${JSON.stringify(marker)};\n`,
  (marker) => `\`\`\`\n${marker}\n\`\`\`\nend of file\n`,
  (marker) => `a ${marker} b ${marker} c`,
  (marker) => `> ${marker.split('\n').join('\n> ')}\n\nquoted from the log`,
];

const calls = Array.from({ length: 10_000 }, (_, at) => {
  const marker = markers[at % markers.length] as string;
  const put = around[Math.floor(at / markers.length) % around.length] as (marker: string) => string;
  const value = `${put(marker)} (${at})`;
  return at % 2 === 0
    ? { name: 'write_file', arguments: { path: `docs/${at}.md`, content: value } }
    : { name: 'delete_notes', arguments: { ids: [`n${at}`, value], reason: value } };
});

describe('guard: 10,000 valid native calls with the markers of every dialect in their values', () => {
  it('pass unchanged, as text and as values', () => {
    expect(markers.length).toBeGreaterThan(150);
    for (const { name, arguments: given } of calls) {
      for (const written of [JSON.stringify(given), given]) {
        const { status, input, repairs } = mend({ name, arguments: written }, toolbox);
        if (status !== 'ok' || repairs.length > 0 || JSON.stringify(input) !== JSON.stringify(given))
          expect({ status, input, repairs }).toEqual({ status: 'ok', input: given, repairs: [] });
      }
    }
  });

  it('pass unchanged next to text that contains calls', () => {
    for (const [at, { name, arguments: given }] of calls.entries()) {
      const parts = [
        { type: 'text', text: markers[at % markers.length] as string },
        { type: 'call', id: `c${at}`, name, arguments: JSON.stringify(given) },
      ] as const;
      const answer = { message: { role: 'assistant', parts }, finish: 'tool_calls' } as const;
      const { changed, calls: judged } = mendTurn(answer, toolbox);
      if (changed || judged.length !== 1) expect({ at, changed, judged }).toMatchObject({ changed: false });
    }
  });
});
