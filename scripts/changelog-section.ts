/** What a changelog says of one version. */
export interface Section {
  /** The day it came out, or `unreleased`. */
  readonly date: string;
  readonly notes: string;
}

/** Finds the section of a version in a changelog of the form of Keep a Changelog; nothing where there is none. */
export const changelogSection = (markdown: string, version: string): Section | undefined => {
  const sections = markdown.split(/^## /m).slice(1);
  const head = `[${version}] - `;
  const section = sections.find((one) => one.startsWith(head));
  if (section === undefined) return undefined;
  const end = section.indexOf('\n');
  return { date: section.slice(head.length, end).trim(), notes: section.slice(end).trim() };
};
