import { isObject } from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import { compilePattern } from '../schema/pattern.ts';
import type { Fault } from './configuration-validation-error.ts';

const fix = 'Write it without lookahead, lookbehind and backreferences, or check that part in run';

/** Each key of a value is tried with every pattern for names. */
const mostPatterns = 100;

/** The patterns of one schema that RE2 can't run; a pattern that could hang is never handed to another engine. */
export function patternFaults(schema: SchemaObject, field: string): Fault[] {
  const { pattern, patternProperties } = schema;
  const patterns: [string, unknown][] = isObject(patternProperties)
    ? Object.keys(patternProperties).map((key) => [`${field}.patternProperties`, key])
    : [];
  if (patterns.length > mostPatterns) {
    const message = `${patterns.length} patterns for names, of which each name is tried with every one; at most ${mostPatterns} are taken`;
    return [{ field: `${field}.patternProperties`, message, fix: 'Join them, or declare the names as properties' }];
  }
  if (pattern !== undefined) patterns.unshift([`${field}.pattern`, pattern]);
  return patterns
    .filter(([, source]) => typeof source !== 'string' || compilePattern(source) === undefined)
    .map(([where, source]) => ({ field: where, message: `the pattern ${shown(source)} can't be run safely`, fix }));
}

const shown = (source: unknown): string => String(JSON.stringify(source)).slice(0, 80);
