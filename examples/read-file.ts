import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { tool } from '../src/tools/tool.ts';
import { inside } from './inside.ts';

/** Reads a file of the workspace, or some of its lines. */
export const readFileTool = ({ root }: { root: string }) =>
  tool({
    name: 'read_file',
    description: 'Reads a text file of the workspace, whole or some of its lines.',
    inputSchema: z.object({
      file_path: z.string().min(1).describe('Path of the file, relative to the workspace'),
      offset: z.number().int().min(1).optional().describe('First line to read, from 1'),
      limit: z.number().int().min(1).optional().describe('How many lines to read'),
    }),
    effect: 'read',
    metadata: {
      category: 'files',
      tags: ['files', 'read'],
      version: '1.0.0',
      examples: [
        { input: { file_path: 'src/app.ts' }, description: 'The whole file' },
        { input: { file_path: 'src/app.ts', offset: 10, limit: 2 }, description: 'Lines 10 and 11' },
      ],
    },
    async execute({ file_path, offset = 1, limit }, { signal, note }) {
      const text = await readFile(await inside(root, file_path), { encoding: 'utf8', signal });
      const lines = text.split('\n');
      const end = limit === undefined ? lines.length : offset - 1 + limit;
      if (end < lines.length) note(`${lines.length - end} more lines follow`);
      return lines.slice(offset - 1, end).join('\n');
    },
  });
