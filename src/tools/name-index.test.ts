import { describe, expect, it } from 'vitest';
import { cpuOf } from '../../test/cpu-of.ts';
import { findTool } from './find-tool.ts';
import { tool } from './tool.ts';
import { Toolbox } from './toolbox.ts';

const verbs = ['get', 'list', 'create', 'update', 'search', 'export', 'import', 'archive', 'share', 'count'];
const nouns = [
  'invoice',
  'customer',
  'ticket',
  'message',
  'calendar',
  'project',
  'document',
  'payment',
  'branch',
  'report',
];
const places = ['github', 'slack', 'stripe', 'jira', 'notion', 'linear', 'gmail', 'drive', 'zendesk', 'hubspot'];
const thousand = verbs.flatMap((verb) => nouns.flatMap((noun) => places.map((place) => `${place}_${verb}_${noun}`)));
const boxOf = (names: string[]) =>
  new Toolbox(
    names.map((name) => tool({ name, description: name, effect: 'read' })),
    { validate: false },
  );

/** The best of several runs, because a busy machine only ever adds time; many where it is above the bar. */
function microseconds(work: () => unknown, bar = Number.POSITIVE_INFINITY): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 30 || (best >= bar && round < 600); round++) {
    const twenty = cpuOf(() => {
      for (let i = 0; i < 20; i++) work();
    });
    best = Math.min(best, (twenty / 20) * 1000);
  }
  return best;
}

describe('NameIndex', () => {
  it('is kept up when tools come and go', () => {
    const toolbox = boxOf(['read_file', 'mcp__a__fetch']);
    const { names } = toolbox;
    const seen = () => [
      names.folded('ReadFile').length,
      names.near('read_fil', 1).length,
      names.closest('file_opener', 3).length,
      names.withoutPrefix('fetch').length,
    ];
    expect(seen()).toEqual([1, 1, 1, 1]);
    toolbox.remove('read_file');
    toolbox.remove('mcp__a__fetch');
    expect(seen()).toEqual([0, 0, 0, 0]);
    for (const name of ['read_file', 'readFile', 'mcp__a__fetch']) toolbox.add(tool({ name, description: name }));
    expect(seen()).toEqual([2, 2, 2, 1]);
  });

  it('gives the nearest first and no more than asked', () => {
    const { names } = boxOf(['read_files', 'read_file', 'reed_file', 'write_file', 'unrelated']);
    expect(names.near('read_fil', 2).map(({ tool, distance }) => [tool.name, distance])).toEqual([
      ['read_file', 1],
      ['reed_file', 2],
      ['read_files', 2],
    ]);
    expect(names.closest('read_fil', 1)).toEqual(['read_file']);
  });

  it('finds the same names among a thousand as by looking at each', () => {
    const toolbox = boxOf(thousand);
    expect(toolbox.names.closest('github_serch_invoice', 1)).toEqual(['github_search_invoice']);
    expect(toolbox.names.near('jira_coun_ticket', 1).map(({ tool }) => tool.name)).toEqual(['jira_count_ticket']);
  });

  it.each([
    ['names of words', thousand, 'github_seach_invoices', 'github_seach_xinvoice'],
    ['names of numbers', thousand.map((_, i) => `tool_${String(i).padStart(4, '0')}`), 'tool_12x4', 'tol_99x9'],
    [
      'long names',
      thousand.map((name) => `mcp__the_company_server__${name}`),
      'mcp__the_company_server__slak_gt_invoice',
      'nothing_like_it',
    ],
  ])('a misspelled name among 1,000 tools is cheap: %s', (_, names, ...written) => {
    const toolbox = boxOf(names);
    const baseline = microseconds(() => names.map((name) => name.length + name.charCodeAt(0)).length);
    for (const name of written) {
      // A plain pass over the names costs a few microseconds; 100 µs is the bar, and slow machines get more.
      const bar = Math.max(100, baseline * 40);
      expect(microseconds(() => findTool(name, toolbox), bar)).toBeLessThan(bar);
    }
  });
});
