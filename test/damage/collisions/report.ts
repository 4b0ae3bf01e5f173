import type { Finding, Result } from './search.ts';

const shown = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

/** One finding in a few lines. */
export const findingText = ({
  template,
  text,
  accepted,
  original,
  mistake,
  other,
  repairs,
  certain,
}: Finding): string =>
  [
    `${template.name} (${template.effect}): ${mistake.name}`,
    `  text     ${shown(text).replaceAll('\n', '⏎')}`,
    `  accepted ${shown(JSON.stringify(accepted))}${other ? ` (by: ${other.name})` : ''} [${[...new Set(repairs)].join(', ')}]`,
    ...(certain ? ['  lossless, though the text may have been written for something else'] : []),
    `  original ${mistake.lost ? 'none: nothing may be accepted; written from ' : ''}${shown(original)}`,
  ].join('\n');

/** Findings of one class look alike: the mistake that was made and the repairs that took it for something else. */
export const classesOf = (findings: readonly Finding[]): Map<string, Finding[]> => {
  const classes = new Map<string, Finding[]>();
  for (const finding of findings) {
    const name = `${finding.certain ? 'certainty: ' : ''}${finding.mistake.name} → ${[...new Set(finding.repairs)].sort().join(', ') || 'no repair'}`;
    classes.set(name, [...(classes.get(name) ?? []), finding]);
  }
  return classes;
};

/** The counts by mistake, and up to `each` findings of every class. */
export const reportOf = (result: Result, each = 3): string => {
  const rows = [...result.counts].sort(([one], [other]) => one.name.localeCompare(other.name));
  const table = rows.map(
    ([{ name }, { texts, accepted, found }]) =>
      `${String(texts).padStart(8)} ${String(accepted).padStart(8)} ${String(found).padStart(6)}  ${name}`,
  );
  const classes = [...classesOf(result.findings)].sort(([, one], [, other]) => other.length - one.length);
  return [
    '   texts accepted  wrong  mistake',
    ...table,
    '',
    `${result.texts} texts, ${result.collisions} of them with two originals: ${result.findings.length} accepted that have another original`,
    ...classes.flatMap(([name, list]) => ['', `## ${list.length} × ${name}`, ...list.slice(0, each).map(findingText)]),
  ].join('\n');
};
