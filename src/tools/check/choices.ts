import type { Fault } from '../config-error.ts';

const choices = {
  effect: ['read', 'write', 'destructive'],
  repeat: ['once', 'idempotent'],
  minCertainty: ['lossless', 'inferred'],
} as const;

/** Words of a definition that are none of those that exist: `effect: 'delete'` must not pass for a plain write. */
export function choiceFaults(definition: { readonly [field in keyof typeof choices]?: unknown }): Fault[] {
  return (Object.keys(choices) as (keyof typeof choices)[]).flatMap((field) => {
    const { [field]: value } = definition;
    const allowed: readonly unknown[] = choices[field];
    if (value === undefined || allowed.includes(value)) return [];
    return [{ field, message: `${field} is ${JSON.stringify(value)}`, fix: `Use one of: ${allowed.join(', ')}` }];
  });
}
