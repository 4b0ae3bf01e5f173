import { memoryStore } from '../../log/memory-store.ts';
import { redactor } from '../../log/redact.ts';
import type { Store } from '../../log/store.ts';
import { logJson, logText } from '../../proxy/log-line.ts';
import { type Metrics, metrics } from '../../proxy/metrics.ts';
import type { ProxyConfig } from '../../proxy/proxy-config.ts';
import { recordAnswers } from '../../proxy/record-answers.ts';
import type { RequestRecord } from '../../proxy/seen-request.ts';
import { traceRequests } from '../../proxy/trace-request.ts';
import { forgetting } from '../forgetting.ts';
import { openStore } from '../run/open-store.ts';

/** Everything that listens to what passes through a proxy. */
export interface Watch {
  readonly metrics: Metrics;
  readonly store: Store;
  readonly onRequest: (seen: RequestRecord) => void;
  close(): Promise<void>;
}

const inMemory = 200;

/** Sets up the lines, the figures, the traces and the log of a proxy. */
export async function watchRequests(
  { log = {}, token, upstreams }: Pick<ProxyConfig, 'log' | 'token'> & Partial<Pick<ProxyConfig, 'upstreams'>>,
  { json, env, write, complain, guarded }: WatchOptions,
): Promise<Watch> {
  const { file, content = false, keepDays } = log;
  const keys = Object.values(upstreams ?? {}).flatMap(({ headers = {} }) => Object.values(headers));
  const redact = redactor({ env, values: [...keys, ...(token === undefined ? [] : [token])] });
  const store = file === undefined ? memoryStore() : await openStore(file);
  const record = recordAnswers(store, {
    // What is in memory is shown to those alone who know a word that was said here.
    ...(file === undefined ? { content: guarded, last: inMemory } : { content }),
    ...{ redact, onError: complain },
  });
  const figures = metrics();
  const trace = traceRequests();
  const stopForgetting = keepDays === undefined ? () => {} : forgetting(store, keepDays, complain);
  return {
    ...{ metrics: figures, store },
    onRequest: (seen) => {
      write(redact(json ? logJson(seen) : logText(seen)));
      figures.see(seen);
      trace(seen);
      record(seen);
    },
    close: async () => {
      stopForgetting();
      await store.close();
    },
  };
}

interface WatchOptions {
  /** Nobody sees what is kept who does not know a word for it. */
  readonly guarded: boolean;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly write: (line: string) => void;
  readonly complain: (line: string) => void;
}
