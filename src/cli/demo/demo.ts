import { randomBytes } from 'node:crypto';
import { permissions } from '../../execute/permission-rules.ts';
import { memoryStore } from '../../log/memory-store.ts';
import { redactor } from '../../log/redact/redact.ts';
import type { Store } from '../../log/store.ts';
import type { Model, ModelRequest } from '../../model/index.ts';
import { anthropic, gemini, ollama, openai } from '../../provider/client/providers.ts';
import type { ScriptedTurn } from '../../provider/scripted/script.ts';
import { scripted } from '../../provider/scripted/scripted.ts';
import { serveScripted } from '../../provider/scripted/server.ts';
import type { RequestRecord } from '../../proxy/observe/request-record.ts';
import { recordResponses } from '../../proxy/observe/run-log.ts';
import type { Upstream } from '../../proxy/options.ts';
import { createProxy, type RunningProxy } from '../../proxy/server.ts';
import { type Agent, agent } from '../../run/agent.ts';
import { tool } from '../../tools/tool.ts';
import { untilStopped } from '../shared/until-stopped.ts';
import { type Colours, colour } from '../terminal/colour.ts';
import { hasPerson, type Terminal } from '../terminal/terminal.ts';
import { tourPrompt, tourScript } from '../tour/script.ts';
import { tourTools } from '../tour/tools.ts';
import { type Conversation, conversations } from './conversations.ts';

const usualPort = 17645;
const formats = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'] as const;

/**
 * `npm start`: a proxy with its inspector for an embedded model, and a few damaged conversations. Keeps running in a
 * terminal, and ends by itself in a pipe.
 */
export async function demo(terminal: Terminal): Promise<number> {
  const paint = colour(terminal.output, terminal.env);
  const write = (line: string): void => void terminal.output.write(`${line}\n`);
  write('Toolmend: damaged tool calls from a scripted model, mended by the proxy\n');

  const store = memoryStore();
  const seen: RequestRecord[] = [];
  const model = await serveScripted(script);
  const helper = tourAgent(store);
  const token = randomBytes(18).toString('base64url');
  const record = recordResponses(store, { content: true, redact: redactor({ env: terminal.env }) });
  const proxy = await listening({ url: model.url, formats }, store, {
    token,
    canApprove: true,
    onDecision: (run: string) => void helper.resume(run).then((taken) => taken.continue()),
    onRequest: (request: RequestRecord) => {
      seen.push(request);
      record(request);
    },
  });
  try {
    for (const conversation of conversations) {
      const from = seen.length;
      await playConversation(conversation, proxy.url);
      for (const line of conversationLines(conversation, seen.slice(from), paint)) write(line);
    }
    await helper.run(tourPrompt).result;
    for (const line of summaryLines(seen)) write(line);
    if (!hasPerson(terminal)) {
      write('\nIn a terminal, the proxy keeps running, and a web page shows each call.');
      return 0;
    }
    for (const line of addressLines({ url: proxy.url, token }, paint)) write(line);
    await untilStopped(terminal, proxy, () => {});
    return 0;
  } finally {
    await proxy.close();
    await model.close();
  }
}

/** The embedded model: returns the next turn of the conversation. */
function script({ messages }: ModelRequest): ScriptedTurn | string {
  const said = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? part.text : []))),
  );
  const turns = conversations.find(({ question }) => said.has(question))?.turns ?? ['Hello.'];
  const answered = messages.filter(({ role }) => role === 'assistant').length;
  return turns[Math.min(answered, turns.length - 1)] as ScriptedTurn | string;
}

/** An agent whose run waits for approval in the inspector. */
const tourAgent = (store: Store): Agent =>
  agent({
    model: scripted(tourScript(), { model: 'embedded-model' }),
    tools: tourTools(),
    store,
    permissions: permissions({ mode: 'auto', ask: ['delete_folder'] }),
  });

interface Watching {
  readonly token: string;
  readonly canApprove: boolean;
  readonly onDecision: (run: string) => void;
  readonly onRequest: (seen: RequestRecord) => void;
}

/** Listens on the default port, or on any other if it is taken. */
async function listening(upstream: Upstream, store: Store, { onRequest, ...inspect }: Watching): Promise<RunningProxy> {
  const options = { upstreams: [upstream], store, inspect, onRequest };
  try {
    return await createProxy({ ...options, port: usualPort }).listen();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return await createProxy(options).listen();
  }
}

const signs = { ok: '✓', mended: '✓', invalid: '✗' } as const;
const words = { ok: 'unchanged', mended: 'mended', invalid: 'refused with feedback' } as const;

/** Summarizes a conversation: the mistakes, and the result of each call. */
function conversationLines({ about, wire }: Conversation, seen: readonly RequestRecord[], paint: Colours): string[] {
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

/** The overall summary. */
function summaryLines(seen: readonly RequestRecord[]): string[] {
  const calls = seen.flatMap((request) => request.calls);
  const count = (status: string): number => calls.filter(({ outcome }) => outcome.status === status).length;
  const own = seen.map((request) => request.own).sort((a, b) => a - b);
  const median = own[Math.floor(own.length / 2)] ?? 0;
  return [
    '',
    `${calls.length} calls: ${count('ok')} unchanged, ${count('mended')} mended, ${count('invalid')} refused and corrected.`,
    `Time added by the proxy: ${median.toFixed(2)} ms per request (median of ${seen.length}).`,
  ];
}

/** The URLs to open. */
const addressLines = ({ url, token }: { readonly url: string; readonly token: string }, paint: Colours): string[] => [
  '',
  'Inspect the calls, and approve the one that is waiting:',
  `  ${paint.cyan(`${url}/inspector/?token=${token}`)}`,
  'Point any OpenAI, Anthropic, Gemini or Ollama client at the proxy:',
  `  ${paint.cyan(url)}`,
  '',
  paint.dim('Press Ctrl-C to stop.'),
];

/** The clients, each with its own API format. */
const clients: Readonly<Record<Conversation['wire'], (at: string) => Model>> = {
  openai: (at) => openai({ ...asked('openai-client'), baseURL: `${at}/v1` }),
  responses: (at) => openai({ ...asked('responses-client'), baseURL: `${at}/v1`, api: 'responses' }),
  anthropic: (at) => anthropic({ ...asked('anthropic-client'), baseURL: at }),
  gemini: (at) => gemini({ ...asked('gemini-client'), baseURL: at }),
  ollama: (at) => ollama({ ...asked('ollama-client'), baseURL: at }),
};

const asked = (model: string) => ({ model, apiKey: 'not-needed' });

/** Runs a conversation through a proxy, like any agent, and returns how it ended. */
async function playConversation({ wire, question, tools }: Conversation, proxy: string): Promise<string> {
  const run = agent({
    model: clients[wire](proxy),
    tools: tools.map(({ name, description = '', schema }) =>
      tool({ name, description, inputSchema: schema as unknown, effect: 'read', execute: () => 'ok' }),
    ),
  }).run(question);
  const { end } = await run.result;
  if (end !== 'length') return end;
  // The proxy withheld a truncated call, so the client was told, and responds as its user would.
  return (await run.send('Please continue in smaller pieces.').result).end;
}
