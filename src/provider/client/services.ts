import type { LoweringTarget } from '../compat/lowering-target.ts';

/** A provider's service: its base URL, and how to authenticate. */
export interface Service {
  /** Name in logs and traces. */
  readonly provider: string;
  readonly label: string;
  readonly base: string;
  /** Environment variables for the base URL and the key. The first one that is set applies. */
  readonly baseVariables: readonly string[];
  readonly keyVariables: readonly string[];
  /** Whether the service's own URL requires a key. */
  readonly needsKey: boolean;
  readonly keyHeader: (key: string) => Record<string, string>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The limits that requests are adapted to, at the service's own URL and at other URLs, such as local servers. */
  readonly target: LoweringTarget;
  readonly elsewhere: LoweringTarget;
}

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

export const services = {
  openai: {
    provider: 'openai',
    label: 'OpenAI',
    target: 'openai',
    elsewhere: 'plain',
    base: 'https://api.openai.com/v1',
    baseVariables: ['OPENAI_BASE_URL'],
    keyVariables: ['OPENAI_API_KEY'],
    needsKey: true,
    keyHeader: bearer,
  },
  anthropic: {
    provider: 'anthropic',
    label: 'Anthropic',
    target: 'anthropic',
    elsewhere: 'anthropic',
    base: 'https://api.anthropic.com',
    baseVariables: ['ANTHROPIC_BASE_URL'],
    keyVariables: ['ANTHROPIC_API_KEY'],
    needsKey: true,
    keyHeader: (key) => ({ 'x-api-key': key }),
    headers: { 'anthropic-version': '2023-06-01' },
  },
  gemini: {
    provider: 'gemini',
    label: 'Gemini',
    target: 'gemini',
    elsewhere: 'gemini',
    base: 'https://generativelanguage.googleapis.com',
    baseVariables: ['GOOGLE_GEMINI_BASE_URL'],
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    needsKey: true,
    keyHeader: (key) => ({ 'x-goog-api-key': key }),
  },
  ollama: {
    provider: 'ollama',
    label: 'Ollama',
    target: 'plain',
    elsewhere: 'plain',
    base: 'http://127.0.0.1:11434',
    baseVariables: ['OLLAMA_HOST'],
    keyVariables: ['OLLAMA_API_KEY'],
    needsKey: false,
    keyHeader: bearer,
  },
} as const satisfies Record<string, Service>;
