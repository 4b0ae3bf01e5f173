import { askUpstream } from './ask-upstream.ts';
import { jsonOf } from './json-of.ts';
import { readBody } from './read-body.ts';

/** What came back. */
export interface Probed {
  readonly status: number;
  /** Parsed, where it is JSON. */
  readonly body: unknown;
}

const longest = 1024 * 1024;
const defaultTimeout = 2000;

/** Asks one short question; nothing where there is no answer in time. */
export async function probe(
  url: URL,
  method: 'GET' | 'POST',
  { headers = {}, timeout = defaultTimeout }: { headers?: Readonly<Record<string, string>>; timeout?: number },
): Promise<Probed | undefined> {
  const signal = AbortSignal.timeout(timeout);
  const body = method === 'POST' ? Buffer.from('{}') : undefined;
  try {
    const answer = await askUpstream({
      ...{ url, method, body, signal },
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
    });
    const bytes = await readBody(answer, longest);
    return { status: answer.statusCode ?? 0, body: jsonOf(bytes) };
  } catch {
    return undefined;
  }
}
