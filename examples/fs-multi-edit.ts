import { z } from 'zod';
import { tool } from '../src/tools/tool.ts';
import { replaceInFiles } from './replace-in-files.ts';

/** Nested edits without preprocessing: the pipeline alone mends or refuses damaged input. */
export const fsMultiEditTool = ({ root }: { root: string }) =>
  tool({
    name: 'fs_multi_edit',
    description: 'Edits several files at once. All edits are made, or none.',
    inputSchema: z.object({
      edits: z
        .array(
          z.object({
            path: z.string().min(1).describe('File path'),
            find: z.string().min(1).describe('Existing text to replace'),
            replace: z.string().describe('Replacement text'),
            replace_all: z.boolean().optional().describe('Replace every place, not only one'),
          }),
        )
        .min(1)
        .describe('The edits, in order'),
    }),
    metadata: {
      category: 'files',
      tags: ['files', 'edit'],
      version: '1.0.0',
      examples: [{ input: { edits: [{ path: 'config.json', find: '"debug": true', replace: '"debug": false' }] } }],
    },
    execute: ({ edits }) =>
      replaceInFiles(
        root,
        edits.map(({ replace_all, ...edit }) => ({ ...edit, all: replace_all })),
      ),
  });
