import { findFences } from './find-fences.ts';

/** What a page links to inside the repository, and the headings others may link to. */
export interface Links {
  readonly targets: readonly string[];
  readonly anchors: readonly string[];
}

const inline = /\]\(\s*<?([^)\s>]+)>?(?:\s+["'][^)]*)?\)/g;
const reference = /^\s{0,3}\[[^\]]+\]:\s*(\S+)/gm;
const html = /\b(?:href|src|srcset)="([^"]+)"/g;
const outside = /^(?:[a-z][a-z+.-]*:|\/\/)/i;
const heading = /^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$/gm;

/** Finds the links of a Markdown page that stay in the repository, and its anchors. What stands in code is no link. */
export const findLinks = (markdown: string): Links => {
  const text = withoutCode(markdown);
  const prose = text.replace(/`[^`\n]*`/g, '');
  const targets = [inline, reference, html].flatMap((form) =>
    [...prose.matchAll(form)].map(([, target]) => target ?? ''),
  );
  const seen = new Map<string, number>();
  const anchors = [...text.matchAll(heading)].map(([, title = '']) => {
    const slug = slugOf(title);
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
  return { targets: targets.filter((target) => !outside.test(target)), anchors };
};

const withoutCode = (markdown: string): string => {
  const lines = markdown.split(/\r?\n/);
  for (const { line, code } of findFences(markdown)) lines.fill('', line - 1, line + code.split('\n').length + 1);
  return lines.join('\n');
};

/** The anchor that GitHub gives a heading. */
const slugOf = (title: string): string =>
  title
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
