import type { TurnRequest } from '../../model/index.ts';
import type { RequestRecord } from '../../proxy/observe/request-record.ts';
import { plural } from '../terminal/layout.ts';

/** What happened in a session. */
export interface SessionReport {
  /** Requests to the model, and those that failed. */
  readonly requests: number;
  readonly failed: number;
  /** Why the last one failed. */
  readonly lastError?: string;
  /** All calls; those that were mended; those that the model corrected after feedback; those that stayed invalid. */
  readonly calls: number;
  readonly mended: number;
  readonly corrected: number;
  readonly refused: number;
  /** Names of tools that the upstream's API format can't express. */
  readonly droppedTools: readonly string[];
  /** What the user should know, such as a prompt that the server shortened. */
  readonly warnings: readonly string[];
}

/** Counts the requests of a session. */
export interface SessionCounter {
  /** Adds a request, and returns new warnings. */
  add(record: RequestRecord): readonly string[];
  report(): SessionReport;
}

/** Creates a counter. */
export function countSession(): SessionCounter {
  const counts = { requests: 0, failed: 0, calls: 0, mended: 0, corrected: 0, refused: 0 };
  const dropped = new Set<string>();
  const warnings: string[] = [];
  let lastError: string | undefined;
  return {
    add: (record) => {
      const { client, wire, status, left, calls, question, error } = record;
      if (client === undefined) return [];
      counts.requests += 1;
      // A connection that broke in the middle has the status of its start.
      if (!left && (status >= 400 || error !== undefined)) {
        counts.failed += 1;
        lastError = error ?? `status ${status}`;
      }
      for (const { outcome, retried } of calls) {
        counts.calls += 1;
        counts.refused += Number(outcome.status === 'invalid');
        counts.corrected += Number(outcome.status !== 'invalid' && retried !== undefined);
        counts.mended += Number(outcome.status === 'mended' && retried === undefined);
      }
      const request = client === wire ? undefined : question?.();
      for (const name of request ? droppedTools(request, record) : []) dropped.add(name);
      const shortened = warnings.length === 0 ? shortenedPrompt(record) : undefined;
      if (shortened !== undefined) warnings.push(shortened);
      return shortened === undefined ? [] : [shortened];
    },
    report: () => ({
      ...counts,
      droppedTools: [...dropped],
      warnings: [...warnings],
      ...(lastError !== undefined && { lastError }),
    }),
  };
}

/** Tools in another provider's own notation, by their name or their kind. */
function droppedTools({ tools = [] }: TurnRequest, { wire }: RequestRecord): string[] {
  return tools.flatMap((tool) => {
    if (tool.type !== 'opaque' || tool.format === wire) return [];
    const { name, type, ...rest } = tool.value as Record<string, unknown>;
    return String(name ?? type ?? Object.keys(rest)[0] ?? 'unknown');
  });
}

/** A token has about 4 characters; in long runs of spaces or hexadecimal digits up to 8. */
const mostPerToken = 8;
const shortPrompt = 8000;

/**
 * A warning if the server counted far fewer tokens than the prompt has. Some servers drop the start of a prompt that
 * doesn't fit, without an error.
 */
export function shortenedPrompt({ response, question, tools }: RequestRecord): string | undefined {
  const counted = response?.usage?.input;
  if (!counted || !question) return undefined;
  const { messages, tools: specs = [] } = question();
  const sent = textLength(messages) + (tools.length > 0 ? JSON.stringify(specs).length : 0);
  if (sent < shortPrompt || counted * mostPerToken >= sent) return undefined;
  const estimate = Math.round(sent / 4 / 100) * 100;
  return `The server read ${counted} tokens of a prompt of about ${estimate}. It probably dropped the start of the prompt: increase its context size`;
}

/** Characters of all texts in messages, without images and other data. */
function textLength(value: unknown, key = ''): number {
  if (typeof value === 'string') return key === 'data' || value.startsWith('data:') ? 0 : value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [name, one]) => sum + textLength(one, name), 0);
}

/** The report in one line, and a second one that explains failed requests. */
export const summaryLines = (report: SessionReport, log: string): string[] => [
  summaryLine(report),
  ...(report.lastError === undefined ? [] : [`Last error: ${report.lastError}. All are in ${log}`]),
];

/** The report in one line. */
export function summaryLine({ requests, failed, calls, droppedTools: dropped, ...counts }: SessionReport): string {
  const { mended, corrected, refused } = counts;
  const details = [
    ...(mended > 0 ? [`${mended} mended`] : []),
    ...(corrected > 0 ? [`${corrected} corrected by the model`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
  ];
  const all = `${plural(calls, 'tool call')} in ${plural(requests, 'request')}`;
  return [
    details.length > 0 ? `${all}: ${details.join(', ')}` : all,
    ...(failed > 0 ? [`${plural(failed, 'request')} failed`] : []),
    ...(dropped.length > 0 ? [`tools not sent to the model: ${dropped.join(', ')}`] : []),
  ].join('; ');
}
