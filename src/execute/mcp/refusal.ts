/** Why a tool isn't called although its arguments are valid. */
const reasons = {
  changed: {
    why: 'its server changed its definition, and the user has not accepted the new one yet',
    advice: 'Continue without this tool, or ask the user to review and accept the new definition',
  },
  unusable: {
    why: 'its server changed its definition to one that cannot be used',
    advice: 'Continue without this tool, and tell the user',
  },
  removed: { why: 'its server no longer offers it', advice: 'Continue without this tool' },
  outdated: {
    why: 'a newer definition was accepted, and this one is no longer valid',
    advice: 'Continue without this tool until the new definition is in place',
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
