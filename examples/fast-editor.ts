import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { tool } from '../src/tools/tool.ts';
import { inside } from './inside.ts';

const edit = z.object({
  startLine: z.number().int().min(1).describe('First line to replace, from 1'),
  endLine: z.number().int().min(0).describe('Last line to replace; one less than startLine inserts before it'),
  content: z.string().describe('The new lines; empty deletes'),
});

/** Models often write the edits as JSON text. Other text stays unchanged, so that the field's error shows it. */
function fromJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Replaces lines by number, which is faster for a model than repeating the old text. */
export const fastEditorTool = ({ root }: { root: string }) =>
  tool({
    name: 'fast_editor',
    description: 'Replaces lines of one file by their numbers. The numbers are those of the file before all edits.',
    inputSchema: z.object({
      path: z.string().min(1).describe('Path of the file, relative to the workspace'),
      edits: z.preprocess(fromJson, z.array(edit).min(1)).describe('The edits, which must not overlap'),
    }),
    target: ({ path }) => path,
    metadata: {
      category: 'files',
      tags: ['files', 'edit'],
      version: '1.0.0',
      examples: [{ input: { path: 'src/app.ts', edits: [{ startLine: 3, endLine: 4, content: 'const a = 1;' }] } }],
    },
    async execute({ path, edits }) {
      const place = await inside(root, path);
      const lines = (await readFile(place, 'utf8')).split('\n');
      const ordered = [...edits].sort((a, b) => b.startLine - a.startLine || b.endLine - a.endLine);
      const fault = faultOf(ordered, lines.length);
      if (fault) return { ok: false, error: `${fault}; nothing was written`, recommendations: [`Read ${path} again`] };
      for (const { startLine, endLine, content } of ordered)
        lines.splice(startLine - 1, endLine - startLine + 1, ...(content === '' ? [] : content.split('\n')));
      await writeFile(place, lines.join('\n'));
      return { ok: true, path, edits: edits.length, lines: lines.length };
    },
  });

/** What is wrong with edits in descending order. */
function faultOf(ordered: readonly z.infer<typeof edit>[], lines: number): string | undefined {
  for (const [index, { startLine, endLine }] of ordered.entries()) {
    const range = `Lines ${startLine} to ${endLine}`;
    if (endLine < startLine - 1) return `${range} end before they start`;
    if (endLine > lines || startLine > lines + 1) return `${range} are not in the file, which has ${lines}`;
    const later = ordered[index - 1];
    if (later && later.startLine <= endLine) return `${range} overlap with another edit`;
  }
  return undefined;
}
