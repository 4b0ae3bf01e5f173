/**
 * What a request is adapted to: a provider, its strict mode, Gemini's older schema fields (`parameters`,
 * `responseSchema`), or `plain` for local servers that convert schemas to grammars.
 */
export type LoweringTarget =
  | 'openai'
  | 'openai-strict'
  | 'anthropic'
  | 'anthropic-strict'
  | 'gemini'
  | 'gemini-openapi'
  | 'plain';
