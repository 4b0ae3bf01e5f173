import type { LoweringTarget } from '../provider/fit/lowering-target.ts';
import type { Format } from '../turn/turn.ts';

/** What a service is known to speak. */
export interface KnownService {
  readonly formats: readonly Format[];
  readonly target: LoweringTarget;
}

const chat: KnownService = { formats: ['openai-chat'], target: 'plain' };
const both: KnownService = { formats: ['openai-chat', 'openai-responses'], target: 'openai' };
const anthropic: KnownService = { formats: ['anthropic'], target: 'anthropic' };

/** By host, and where one host speaks several wires by the path too. */
const services: readonly (readonly [host: RegExp, path: RegExp, service: KnownService])[] = [
  [/^api[.]openai[.]com$/, /^/, both],
  [/[.]openai[.]azure[.]com$/, /^/, both],
  [/^api[.]anthropic[.]com$/, /^/, anthropic],
  [/^generativelanguage[.]googleapis[.]com$/, /\/openai(?:\/|$)/, chat],
  [/^generativelanguage[.]googleapis[.]com$/, /^/, { formats: ['gemini'], target: 'gemini' }],
  [/[.](?:com|cn|ai|io)$/, /\/anthropic\/?$/, anthropic],
  [/^api[.](?:deepseek|mistral|together|fireworks|cerebras|groq|x)[.](?:com|ai|xyz)$|^openrouter[.]ai$/, /^/, chat],
];

/** What `--format` may say, and what it means. */
export const namedFormats: Readonly<Record<string, KnownService>> = {
  openai: { formats: ['openai-chat', 'openai-responses'], target: 'plain' },
  anthropic,
  gemini: { formats: ['gemini'], target: 'gemini' },
  ollama: { formats: ['ollama'], target: 'plain' },
};

/** The service at an address, where it is known by its name. */
export const serviceAt = ({ hostname, pathname }: URL): KnownService | undefined =>
  services.find(([host, path]) => host.test(hostname) && path.test(pathname))?.[2];
