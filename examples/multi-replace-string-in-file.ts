import { z } from 'zod';
import { tool } from '../src/tools/tool.ts';
import { listFromText } from './list-from-text.ts';
import { replaceInFiles } from './replace-in-files.ts';

const edit = z.object({
  filePath: z.string().min(1).describe('Path of the file, relative to the workspace'),
  oldString: z.string().min(1).describe('The text to replace, which must be there exactly once'),
  newString: z.string().describe('What to put in its place'),
});

/** Replaces several pieces of text; `edits` is a list, JSON text or `<edit>` elements. */
export const multiReplaceStringInFileTool = ({ root }: { root: string }) =>
  tool({
    name: 'multi_replace_string_in_file',
    description: 'Replaces several pieces of text in one or more files. All of them are replaced, or none.',
    inputSchema: z.object({
      explanation: z.string().optional().describe('What the edits are for, in a sentence'),
      edits: z
        .preprocess(listFromText('edit', Object.keys(edit.shape)), z.array(edit).min(1))
        .describe('The edits, in order'),
    }),
    metadata: {
      category: 'files',
      tags: ['files', 'edit'],
      version: '1.0.0',
      examples: [{ input: { edits: [{ filePath: 'src/app.ts', oldString: 'let a', newString: 'const a' }] } }],
    },
    execute: ({ edits }) =>
      replaceInFiles(
        root,
        edits.map(({ filePath, oldString, newString }) => ({ path: filePath, find: oldString, replace: newString })),
      ),
  });
