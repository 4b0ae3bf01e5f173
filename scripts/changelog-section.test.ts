import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changelogSection } from './changelog-section.ts';

const page =
  '# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-02-03\n\nWords.\n\n### Added\n\n- This\n\n## [1.0.0] - 2026-01-02\n\n- That\n';

describe('a section of a changelog', () => {
  it('is found by its version, with its day', () => {
    expect(changelogSection(page, '1.1.0')).toEqual({ date: '2026-02-03', notes: 'Words.\n\n### Added\n\n- This' });
    expect(changelogSection(page, '1.0.0')).toEqual({ date: '2026-01-02', notes: '- That' });
  });

  it('is not taken for another', () => {
    expect(changelogSection(page, '1.1')).toBeUndefined();
    expect(changelogSection(page, '2.0.0')).toBeUndefined();
  });
});

describe('our changelog', () => {
  const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
  const changelog = read('CHANGELOG.md');
  const heads = [...changelog.matchAll(/^## (.+)$/gm)].map(([, head]) => String(head));

  it('says what the version of the manifest brings', () => {
    const { version } = JSON.parse(read('package.json'));
    expect(changelogSection(changelog, version)?.notes).toMatch(/^### (?:Added|Changed|Fixed|Security)$/m);
  });

  it('keeps its form: what is to come first, then versions with their days, each once', () => {
    expect(heads[0]).toBe('[Unreleased]');
    for (const head of heads.slice(1))
      expect(head).toMatch(/^\[\d+\.\d+\.\d+[\w.-]*\] - (?:\d{4}-\d\d-\d\d|unreleased)$/);
    expect(new Set(heads).size).toBe(heads.length);
    expect(heads.filter((head) => head.endsWith('- unreleased')).length).toBeLessThan(2);
  });

  it('has no kind of change but the six', () => {
    for (const [, kind] of changelog.matchAll(/^### (.+)$/gm))
      expect(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).toContain(kind);
  });
});
