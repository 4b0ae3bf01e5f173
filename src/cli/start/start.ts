import { randomBytes } from 'node:crypto';
import { permissions } from '../../exec/permissions.ts';
import { memoryStore } from '../../log/memory-store.ts';
import { redactor } from '../../log/redact.ts';
import type { Store } from '../../log/store.ts';
import type { ScriptedTurn } from '../../provider/scripted/script.ts';
import { scripted } from '../../provider/scripted/scripted.ts';
import { serveScripted } from '../../provider/scripted/serve-scripted.ts';
import { type RunningProxy, startProxy } from '../../proxy/proxy.ts';
import type { Upstream } from '../../proxy/proxy-options.ts';
import { recordAnswers } from '../../proxy/record-answers.ts';
import type { RequestRecord } from '../../proxy/seen-request.ts';
import { type Agent, agent } from '../../run/agent.ts';
import type { Question } from '../../turn/turn.ts';
import { colour } from '../colour.ts';
import { hasPerson, type Terminal } from '../terminal.ts';
import { tourScript } from '../tour/tour-script.ts';
import { tourTools } from '../tour/tour-tools.ts';
import { tourQuestion } from '../tour/tour-turns.ts';
import { untilStopped } from '../until-stopped.ts';
import { conversations } from './conversations.ts';
import { playConversation } from './play-conversation.ts';
import { addressLines, conversationLines, summaryLines } from './start-lines.ts';

const usualPort = 17645;
const formats = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'] as const;

/**
 * The first command: a proxy with its inspector in front of an embedded model, and a few damaged conversations through it.
 * Stays for whoever wants to look where there is a person, and ends by itself in a pipe.
 */
export async function start(terminal: Terminal): Promise<number> {
  const paint = colour(terminal.output, terminal.env);
  const write = (line: string): void => void terminal.output.write(`${line}\n`);
  write('Toolmend: damaged calls, through the proxy, on an embedded model\n');

  const store = memoryStore();
  const seen: RequestRecord[] = [];
  const model = await serveScripted(script);
  const helper = tourAgent(store);
  const token = randomBytes(18).toString('base64url');
  const record = recordAnswers(store, { content: true, redact: redactor({ env: terminal.env }) });
  const proxy = await listening({ url: model.url, formats }, store, {
    token,
    decides: true,
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
    await helper.run(tourQuestion).done;
    for (const line of summaryLines(seen)) write(line);
    if (!hasPerson(terminal)) {
      write('\nIn a terminal it stays, and a web page shows each of them.');
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

/** What the embedded model says: the next turn of the conversation it was asked in. */
function script({ messages }: Question): ScriptedTurn | string {
  const said = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? part.text : []))),
  );
  const turns = conversations.find(({ question }) => said.has(question))?.turns ?? ['Hello.'];
  const answered = messages.filter(({ role }) => role === 'assistant').length;
  return turns[Math.min(answered, turns.length - 1)] as ScriptedTurn | string;
}

/** An agent whose run waits for somebody to allow a call, in the inspector. */
const tourAgent = (store: Store): Agent =>
  agent({
    ...{ model: scripted(tourScript(), { model: 'embedded-model' }), tools: tourTools(), store },
    permissions: permissions({ mode: 'auto', ask: ['delete_folder'] }),
  });

interface Watching {
  readonly token: string;
  readonly decides: boolean;
  readonly onDecision: (run: string) => void;
  readonly onRequest: (seen: RequestRecord) => void;
}

/** Listens at the usual port, or at any other where that is taken. */
async function listening(upstream: Upstream, store: Store, { onRequest, ...inspect }: Watching): Promise<RunningProxy> {
  const options = { upstreams: [upstream], store, inspect, onRequest };
  try {
    return await startProxy({ ...options, port: usualPort });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return await startProxy(options);
  }
}
