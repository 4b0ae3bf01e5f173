import type { RequestRecord } from '../../proxy/seen-request.ts';
import type { Colours } from '../colour.ts';
import type { Conversation } from './conversations.ts';

const signs = { ok: '✓', mended: '✓', invalid: '✗' } as const;
const words = { ok: 'as it came', mended: 'mended', invalid: 'refused, and told why' } as const;

/** A conversation in a few lines: what went wrong in it, and what became of each call. */
export function conversationLines(
  { about, wire }: Conversation,
  seen: readonly RequestRecord[],
  paint: Colours,
): string[] {
  const calls = seen.flatMap((request) => request.calls);
  return [
    `${about} ${paint.dim(`(${wire})`)}`,
    ...calls.map(({ outcome: { status, name, repairs, raw } }) => {
      const sign = status === 'invalid' ? paint.red(signs[status]) : paint.green(signs[status]);
      const kinds = [...new Set(repairs.map(({ kind }) => kind))].join(', ');
      const why = status === 'mended' ? `: ${kinds}` : '';
      return `  ${sign} ${paint.bold(raw.name === name ? name : `${raw.name} → ${name}`)}  ${words[status]}${why}`;
    }),
  ];
}

/** What it all came to. */
export function summaryLines(seen: readonly RequestRecord[]): string[] {
  const calls = seen.flatMap((request) => request.calls);
  const count = (status: string): number => calls.filter(({ outcome }) => outcome.status === status).length;
  const own = seen.map((request) => request.own).sort((a, b) => a - b);
  const median = own[Math.floor(own.length / 2)] ?? 0;
  return [
    '',
    `${calls.length} calls: ${count('ok')} as they came, ${count('mended')} mended, ${count('invalid')} refused and corrected.`,
    `Our own work per request: ${median.toFixed(2)} ms at the median of ${seen.length}.`,
  ];
}

/** Where to look. */
export const addressLines = (
  { url, token }: { readonly url: string; readonly token: string },
  paint: Colours,
): string[] => [
  '',
  'See each of them, and allow the call that waits:',
  `  ${paint.cyan(`${url}/inspector/?token=${token}`)}`,
  'Point any OpenAI, Anthropic, Gemini or Ollama client at the proxy:',
  `  ${paint.cyan(url)}`,
  '',
  paint.dim('Ctrl-C stops it.'),
];
