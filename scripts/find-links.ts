import { findFences } from './find-fences.ts';

/** The links of a page, and the anchors of its headings. */
export interface Links {
  /** Inside the repository. */
  readonly targets: readonly string[];
  /** Outside the repository: URLs of any scheme. */
  readonly outside: readonly string[];
  readonly anchors: readonly string[];
  /** Names in `[text][name]` that no line defines. */
  readonly undefined: readonly string[];
  /** Images without alternative text. */
  readonly wordless: readonly string[];
}

const inline = /\]\(\s*<?([^)\s>]+)>?(?:\s+["'][^)]*)?\)/g;
const reference = /^\s{0,3}\[[^\]]+\]:\s*<?([^\s>]+)/gm;
const defined = /^\s{0,3}\[([^\]]+)\]:/gm;
const used = /\[[^\]]+\]\[([^\]]+)\]/g;
const auto = /<((?:https?|mailto):[^>\s]*)>/gi;
const bareImage = /!\[\s*\]\(([^)\s]*)/g;
const html = /\b(?:href|src|srcset)="([^"]+)"/g;
const elsewhere = /^(?:[a-z][a-z+.-]*:|\/\/)/i;
const heading = /^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$/gm;

const all = (text: string, form: RegExp): string[] => [...text.matchAll(form)].map(([, found]) => found ?? '');

/** Finds the links of a Markdown page and its anchors. Code contains no links. */
export const findLinks = (markdown: string): Links => {
  const text = withoutCode(markdown);
  const prose = text.replace(/`[^`\n]*`/g, '');
  const links = [inline, reference, html, auto].flatMap((form) => all(prose, form));
  const names = new Set(all(prose, defined).map((name) => name.toLowerCase()));
  const seen = new Map<string, number>();
  const anchors = [...text.matchAll(heading)].map(([, title = '']) => {
    const slug = slugOf(title);
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
  return {
    targets: links.filter((target) => !elsewhere.test(target)),
    outside: links.filter((target) => elsewhere.test(target)),
    anchors,
    undefined: all(prose, used).filter((name) => !names.has(name.toLowerCase())),
    wordless: all(prose, bareImage),
  };
};

const withoutCode = (markdown: string): string => {
  const lines = markdown.split(/\r?\n/);
  for (const { line, code } of findFences(markdown)) lines.fill('', line - 1, line + code.split('\n').length + 1);
  return lines.join('\n');
};

/** The anchor that GitHub gives a heading. */
export const slugOf = (title: string): string =>
  title
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
