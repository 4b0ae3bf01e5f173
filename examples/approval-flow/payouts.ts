/** The agent of the approval flow. The web server and the workers create it alike, each in its own process. */
import { permissions } from '../../src/execute/permission-rules.ts';
import { pending } from '../../src/execute/tool-result.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { agent } from '../../src/run/agent.ts';
import { dispatch } from '../../src/run/workers/dispatch.ts';
import { tool } from '../../src/tools/tool.ts';

/** Settings of both processes. */
export interface FlowSettings {
  /** URL of the Postgres database. */
  readonly database: string;
  /** Public URL of the web server, for webhooks. */
  readonly web: string;
  /** URL of the payment provider. */
  readonly provider: string;
  /** Signs the webhooks. */
  readonly secret: string;
}

const input = {
  type: 'object',
  properties: { to: { type: 'string' }, amount: { type: 'number' } },
  required: ['to', 'amount'],
} as const;

/** Opens the store and the queue of the agent. */
export async function openPayouts({ database, web, provider, secret }: FlowSettings) {
  const pay = tool({
    name: 'pay',
    description: 'Pays an invoice. The payment provider confirms it later.',
    inputSchema: input,
    outputSchema: { type: 'object', properties: { paid: { type: 'boolean' } }, required: ['paid'] },
    resultTimeout: 3 * 86_400_000,
    async execute({ to, amount }, { key, resultUrl, signal }) {
      const body = JSON.stringify({ to, amount, idempotencyKey: key, webhook: resultUrl });
      const response = await fetch(provider, { method: 'POST', body, signal });
      if (!response.ok) return { ok: false, error: `The provider refused the payment: ${response.status}` };
      return pending(key);
    },
  });
  const store = await postgresStore(database);
  const payouts = agent({
    name: 'payouts',
    // Stands in for a real model: it pays, and then reports.
    model: scripted(({ messages }) =>
      messages.some(({ role }) => role === 'assistant')
        ? 'The invoice is paid.'
        : { calls: [{ name: 'pay', arguments: { to: 'ACME', amount: 120 } }] },
    ),
    tools: [pay],
    store,
    permissions: permissions({ mode: 'ask' }),
    resultUrls: { url: web, secret },
  });
  return { store, runs: await dispatch({ agent: payouts, store, url: database }) };
}

/** Settings from the environment. */
export function settingsFrom(env: Readonly<Record<string, string | undefined>>): FlowSettings {
  const {
    DATABASE_URL: database = '',
    WEB_URL: web = '',
    PROVIDER_URL: provider = '',
    RESULT_SECRET: secret = '',
  } = env;
  return { database, web, provider, secret };
}
