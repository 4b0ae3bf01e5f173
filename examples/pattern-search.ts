import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { compilePattern } from '../src/schema/validate/patterns.ts';
import { tool } from '../src/tools/tool.ts';
import { inside } from './inside.ts';
import { listFromText } from './list-from-text.ts';

const lines = z.number().int().min(0).max(20).optional().default(2);

/** Searches files for a regular expression; `files` is a list that models often send as JSON text. */
export const patternSearchTool = ({ root }: { root: string }) =>
  tool({
    name: 'pattern_search',
    description: 'Searches files of the workspace for a regular expression and shows each match with its lines around.',
    inputSchema: z.object({
      searchPattern: z.string().min(1).describe('Regular expression (RE2), matched line by line'),
      files: z
        .preprocess(listFromText('file'), z.array(z.string().min(1)).min(1))
        .describe('Paths of the files to search, like ["src/a.ts", "src/b.ts"]'),
      caseSensitive: z.boolean().optional().default(false).describe('Whether case matters'),
      contextLinesBefore: lines.describe('Lines to show before a match'),
      contextLinesAfter: lines.describe('Lines to show after a match'),
    }),
    effect: 'read',
    metadata: {
      category: 'search',
      tags: ['files', 'search', 'read'],
      version: '1.0.0',
      examples: [{ input: { searchPattern: 'TODO|FIXME', files: ['src/app.ts'] }, description: 'Open ends in a file' }],
    },
    async execute({ searchPattern, files, caseSensitive, contextLinesBefore, contextLinesAfter }, { progress }) {
      const pattern = compilePattern(caseSensitive ? searchPattern : `(?i:${searchPattern})`);
      if (!pattern) {
        const recommendations = ['Use a regular expression without lookahead, lookbehind and backreferences'];
        return { ok: false, error: `Can't search for ${searchPattern}`, recommendations };
      }
      const matches: { file: string; line: number; text: string }[] = [];
      for (const [done, file] of files.entries()) {
        progress({ message: file, done, total: files.length });
        const rows = (await readFile(await inside(root, file), 'utf8')).split('\n');
        for (const [at, row] of rows.entries()) {
          if (!pattern.test(row)) continue;
          const text = rows.slice(Math.max(0, at - contextLinesBefore), at + contextLinesAfter + 1).join('\n');
          matches.push({ file, line: at + 1, text });
        }
      }
      return { ok: true, filesSearched: files.length, totalMatches: matches.length, matches };
    },
  });
