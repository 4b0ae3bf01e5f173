/** The section of one version in a changelog. */
export interface Section {
  /** The release date, or `unreleased`. */
  readonly date: string;
  readonly notes: string;
}

/** Finds the section of a version in a changelog in the format of Keep a Changelog. Undefined if there is none. */
export const changelogSection = (markdown: string, version: string): Section | undefined => {
  const sections = markdown.split(/^## /m).slice(1);
  const head = `[${version}] - `;
  const section = sections.find((one) => one.startsWith(head));
  if (section === undefined) return undefined;
  const end = section.indexOf('\n');
  return { date: section.slice(head.length, end).trim(), notes: section.slice(end).trim() };
};
