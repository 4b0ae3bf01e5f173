/** What a rule or a person said about a call. */
export type Decision =
  /** This call may run. `always`: and every later one of its tool that this rule would ask about, in this run. */
  | { readonly type: 'allow'; readonly always?: boolean; readonly by?: string }
  /** It must not; the model reads the reason. */
  | { readonly type: 'deny'; readonly reason?: string; readonly by?: string }
  /** It may run with these arguments, exactly; they are checked first. */
  | { readonly type: 'edit'; readonly input: unknown; readonly by?: string };

/** What a person was asked to allow. A decision counts for exactly this: these arguments, under this definition. */
export interface Approval {
  readonly name: string;
  readonly input: unknown;
  /** The rule that asked. */
  readonly rule?: string;
  /** Why it was asked. */
  readonly reason?: string;
  /** Of the tool's definition; a log of before there were fingerprints has none. */
  readonly fingerprint?: string;
}

/** What an `always` settles: one rule, for one definition of a tool. */
export const alwaysKey = (rule: string, fingerprint: string): string => JSON.stringify([rule, fingerprint]);
