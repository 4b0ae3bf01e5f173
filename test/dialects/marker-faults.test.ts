import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { type FaultCase, faultCases, faultToolbox, markerFaults, verdictOf, writtenCalls } from './marker-faults.ts';

const toolbox = faultToolbox();
const destructive = faultToolbox('destructive');
const ways = ({ written }: FaultCase): readonly string[] => ['auto', written.row.name];
const casesOf = (name: string): readonly FaultCase[] => faultCases.filter(({ fault }) => fault.name === name);

/** The faults with which another call was read before. */
const misreadBefore = [
  'closer of a value missing',
  'other tag for the closer of a value',
  'closer of a value without its slash',
  'indented markers',
];

describe.each(markerFaults.map(({ name }) => name))('%s', (name) => {
  const cases = casesOf(name);

  it(
    misreadBefore.includes(name) ? 'never reads as a different call' : 'guard: never reads as a different call',
    () => {
      expect(cases.length).toBeGreaterThan(0);
      for (const one of cases)
        for (const dialect of ways(one)) expect([one.text, verdictOf(one, toolbox, dialect)]).not.toContain('wrong');
    },
  );

  it('guard: reads the same in chunks', () => {
    for (const one of cases) {
      for (const dialect of ways(one)) {
        const whole = verdictOf(one, toolbox, dialect);
        for (const chunk of [1, 7])
          expect([one.text, dialect, verdictOf(one, toolbox, dialect, chunk)]).toEqual([one.text, dialect, whole]);
      }
    }
  });
});

it('guard: covers every dialect', () => {
  expect(markerFaults.length).toBeGreaterThanOrEqual(25);
  const covered = new Set(faultCases.map(({ written }) => written.row.name));
  expect(dialects.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual(['content-only']);
  expect(writtenCalls.map((one) => verdictOf({ ...one, written: one } as never, toolbox, one.row.name))).toEqual(
    writtenCalls.map(() => 'recovered'),
  );
});

it('lists every dialect and every fault in the docs', () => {
  const docs = readFileSync(new URL('../../docs/reference/dialects.md', import.meta.url), 'utf8');
  for (const { name, families } of dialects) expect(docs).toContain(`| \`${name}\` | ${families} |`);
  for (const { name } of markerFaults) expect(docs).toContain(`| ${name} |`);
});

it('guard: most faulty calls are recovered', () => {
  const verdicts = faultCases.flatMap((one) => ways(one).map((dialect) => verdictOf(one, toolbox, dialect)));
  expect(verdicts.filter((one) => one === 'recovered').length / verdicts.length).toBeGreaterThan(0.85);
});

/** Places in which text with faulty markers is only mentioned. */
const places: Readonly<Record<string, (text: string) => string>> = {
  'inline code': (text) => `Write \`${text}\` to call it.`,
  'a fence': (text) => `\`\`\`xml\n${text}\n\`\`\``,
  'a blockquote': (text) => text.replace(/^/gm, '> '),
  'a sentence': (text) => `The model would write ${text}`,
  'text before prose': (text) => `${text}\n\nThat is how the format looks.`,
  'an answer to a question': (text) => `Should I run this?\n${text}`,
  'code by its indentation': (text) => text.replace(/^/gm, '    '),
  'a call of another tool': (text) => text.replace(/get_weather|search_web/g, 'made_up_thing'),
};

/** Markers of any dialect as they must be, which a call in such a place may have. */
const intact = new RegExp(
  dialects
    .flatMap(({ forms, sections = [] }) => [...forms.map(({ open }) => open), ...sections.map(([open]) => open)])
    .map((open) => /^[^{~]*/.exec(open)?.[0].trim() ?? '')
    .filter((head) => /[^\w\s`:.-]/.test(head) && head.length > 3)
    .map((head) => head.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join('|'),
);
const damaged = faultCases.filter(({ fault, text }) => fault.all && !intact.test(text));

describe('markers that are all faulty', () => {
  const expectNoCall = (place: string) => {
    expect(damaged.length).toBeGreaterThan(200);
    for (const { text } of damaged) {
      const shown = (places[place] as (text: string) => string)(text);
      for (const chunk of [shown.length, 3]) {
        const { calls } = readCalls(shown, toolbox, { chunk });
        expect([shown, calls.filter(({ status }) => status !== 'invalid')]).toEqual([shown, []]);
      }
    }
  };
  const known = 'a call of another tool';
  it.each(Object.keys(places).filter((place) => place !== known))('are no call in %s', expectNoCall);
  it.each([known])('guard: are no call in %s', expectNoCall);

  it('never call a destructive tool', () => {
    for (const one of damaged) expect([one.text, verdictOf(one, destructive, 'auto')]).not.toContain('recovered');
  });

  it('guard: call other tools', () => {
    const verdicts = damaged.map((one) => verdictOf(one, toolbox, 'auto'));
    expect(verdicts.filter((one) => one === 'recovered').length / verdicts.length).toBeGreaterThan(0.9);
  });
});
