/** Why a tool isn't called although its arguments are valid. */
const reasons = {
  changed: {
    why: 'its server changed its definition, and the user has not accepted the new one yet',
    advice: 'Go on without this tool, or ask the user to look at the new definition and accept it',
  },
  unusable: {
    why: 'its server changed its definition to one that cannot be used',
    advice: 'Go on without this tool, and tell the user',
  },
  removed: { why: 'its server no longer offers it', advice: 'Go on without this tool' },
  outdated: {
    why: 'a newer definition was accepted, and this one is no longer valid',
    advice: 'Go on without this tool until the new definition is in place',
  },
} as const;

/** The result for a tool that differs from the accepted one. */
export const refusal = (name: string, standing: keyof typeof reasons) => ({
  ok: false,
  error: `${name} was not called: ${reasons[standing].why}`,
  errorType: 'logical',
  retryable: false,
  recommendations: [reasons[standing].advice],
});
