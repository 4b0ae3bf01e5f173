import { claimOf, type Problem } from '../../json/problem.ts';
import { isObject } from '../../json/value.ts';
import { preview, shorten } from '../preview.ts';
import { type Faults, faultsOf } from './wording.ts';

const budget = 3000;
const goodWidth = 80;
const goodKeys = 12;

interface Page {
  readonly lines: string[];
  left: number;
}

/**
 * The received arguments in compact form, with each problem marked in its line. Correct values are shortened, and
 * missing ones are shown in their place.
 */
export function annotate(received: unknown, problems: readonly Problem[]): string {
  const page: Page = { lines: [], left: budget };
  render(page, '', '', received, faultsOf(problems));
  if (page.left < 0) page.lines.push('…');
  return page.lines.join('\n');
}

function put(page: Page, indent: string, text: string, faults?: Faults): void {
  if (page.left < 0) return;
  const line = indent + text + (faults ? note(faults.here) : '');
  page.left -= line.length + 1;
  if (page.left >= 0) page.lines.push(line);
}

const note = (problems: readonly Problem[]): string =>
  problems.length === 0 ? '' : `  ← ${shorten(problems.map(claimOf).join('; '), 200)}`;

function render(page: Page, indent: string, label: string, value: unknown, faults: Faults): void {
  if (page.left < 0) return;
  if (faults.below.size > 0 && Array.isArray(value)) renderList(page, indent, label, value, faults);
  else if (faults.below.size > 0 && isObject(value)) renderObject(page, indent, label, value, faults);
  // Problems inside a value that is shown as text all follow it.
  else put(page, indent, label + preview(value, goodWidth), { here: all(faults), below: new Map() });
}

function renderList(page: Page, indent: string, label: string, list: readonly unknown[], faults: Faults): void {
  put(page, indent, `${label}[`, faults);
  const inner = `${indent}  `;
  let next = 0;
  const indexes = [...faults.below.keys()].filter((key) => typeof key === 'number').sort((a, b) => a - b);
  for (const index of indexes) {
    skip(page, inner, Math.min(index, list.length) - next, 'item');
    const below = faults.below.get(index) as Faults;
    if (index < list.length) render(page, inner, '', list[index], below);
    else put(page, inner, '(missing)', { here: all(below), below: new Map() });
    next = index + 1;
  }
  skip(page, inner, list.length - next, 'item');
  put(page, indent, ']');
}

function renderObject(page: Page, indent: string, label: string, value: object, faults: Faults): void {
  put(page, indent, `${label}{`, faults);
  const inner = `${indent}  `;
  let good = 0;
  for (const [key, field] of Object.entries(value)) {
    const below = faults.below.get(key);
    if (below) render(page, inner, keyed(key), field, below);
    else if (good++ < goodKeys) put(page, inner, keyed(key) + preview(field, goodWidth));
  }
  skip(page, inner, good - goodKeys, 'more field');
  for (const [key, below] of faults.below) {
    if (!Object.hasOwn(value, key)) put(page, inner, `${keyed(key)}(missing)`, { here: all(below), below: new Map() });
  }
  put(page, indent, '}');
}

const keyed = (key: string | number): string => `${JSON.stringify(shorten(String(key), 60))}: `;

const skip = (page: Page, indent: string, count: number, what: string): void => {
  if (count > 0) put(page, indent, `… ${count} ${what}${count === 1 ? '' : 's'}`);
};

const all = (faults: Faults): Problem[] => [...faults.here, ...[...faults.below.values()].flatMap(all)];
