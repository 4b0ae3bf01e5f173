/**
 * What a request is fitted to: a provider, its mode that holds the model to the schema, Gemini's older form for schemas
 * (`parameters`, `responseSchema`), or `plain` for local servers that turn schemas into grammars.
 */
export type LoweringTarget =
  | 'openai'
  | 'openai-strict'
  | 'anthropic'
  | 'anthropic-strict'
  | 'gemini'
  | 'gemini-openapi'
  | 'plain';
