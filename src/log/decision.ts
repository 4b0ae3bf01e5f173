/** What a rule or a person said about a call. */
export type Decision =
  /** This call may run. `always`: and every later one this rule would ask about. */
  | { readonly type: 'allow'; readonly always?: boolean; readonly by?: string }
  /** It must not; the model reads the reason. */
  | { readonly type: 'deny'; readonly reason?: string; readonly by?: string }
  /** It may run with these arguments; they are checked again. */
  | { readonly type: 'edit'; readonly input: unknown; readonly by?: string };
