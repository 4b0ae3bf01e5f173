/** Returns why something is ambiguous, or nothing. */
export type Rule<Evidence extends readonly unknown[]> = (...evidence: Evidence) => string | false | null | undefined;

/** The first reason in a list of rules. */
export function firstReason<Evidence extends readonly unknown[]>(
  rules: readonly Rule<Evidence>[],
  ...evidence: Evidence
): string | undefined {
  for (const rule of rules) {
    const reason = rule(...evidence);
    if (reason) return reason;
  }
  return undefined;
}
