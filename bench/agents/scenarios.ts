/** What the model does in a run of an agent, and when the run counts as right. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentRow, ProbedCall } from './agent-rows.ts';
import { asFence, asToolCall, type Damage, damages, sound, type ToolCall, type WrittenCall } from './damages.ts';
import type { ServerTraits } from './model-server.ts';
import type { ServerName } from './server-kinds.ts';
import { shellCall, taskTool } from './shell-call.ts';
import type { ModelReply, ModelRequest } from './wires.ts';

/** With the proxy, or without. */
export type Way = 'direct' | 'proxy';

export const groups = [
  'damage',
  'control',
  'quoted',
  'truncated',
  'template',
  'context',
  'server',
  'own-format',
] as const;
export type Group = (typeof groups)[number];

/** One column of the table. */
export interface Scenario {
  readonly name: string;
  readonly label: string;
  readonly group: Group;
  readonly ways: readonly Way[];
  readonly server: ServerTraits;
  readonly steps: (row: AgentRow, folder: string) => readonly Step[];
  /** The file that shows the result: its right content, or undefined if nothing may write it. */
  readonly file: { readonly name: string; readonly content?: string };
  /** Agents that it is for; by default all. */
  readonly only?: (row: AgentRow) => boolean;
}

/** A step of the model: what it writes until a request shows that the step had its effect. */
interface Step {
  readonly write: (request: ModelRequest) => ModelReply;
  readonly done: (request: ModelRequest, resultsBefore: number) => boolean;
}

/** The user's prompt. It has none of the calls that the model writes. */
export const prompt = 'Write the file out.txt as agreed. Use your tools.';

/** Both kinds of quotes, a backslash, braces and a comma. */
const command = `printf '%s\\n' "alpha, {beta}" > out.txt`;
const content = 'alpha, {beta}\n';
const out = { name: 'out.txt', content };

const reply = (written: WrittenCall): ModelReply =>
  'text' in written ? { text: written.text, finish: 'stop' } : { call: written, finish: 'calls' };

/** The shell call, repeated until the file is there. */
const shellStep = (folder: string, write: (call: ToolCall) => WrittenCall, scalars = false): Step => ({
  write: (request) => reply(write(shellCall(request, command, scalars))),
  done: () => {
    const file = join(folder, out.name);
    return existsSync(file) && readFileSync(file, 'utf8') === content;
  },
});

const probedSteps = ({ before = [], call, worked }: ProbedCall, write: Damage['write']): Step[] => [
  ...before.map(
    (one): Step => ({
      write: () => reply(sound(one)),
      done: ({ results }, resultsBefore) => results.length > resultsBefore,
    }),
  ),
  {
    write: () => reply(write(call)),
    done: ({ results }, resultsBefore) => results.slice(resultsBefore).some(worked),
  },
];

function damagedSteps({ needs, write }: Pick<Damage, 'needs' | 'write'>): Scenario['steps'] {
  return (row, folder) => {
    const probed = needs === 'list' ? row.list(folder) : needs === 'scalar' ? row.scalar?.(folder) : undefined;
    if (!probed) return [shellStep(folder, write, needs === 'scalar')];
    return [...probedSteps(probed, write), shellStep(folder, sound)];
  };
}

const both = ['direct', 'proxy'] as const;
const vllm: ServerTraits = { kind: 'vllm' };
const soundSteps: Scenario['steps'] = (_, folder) => [shellStep(folder, sound)];

const evil = 'echo executed > quoted.txt';
const quotedCall = (request: ModelRequest): ToolCall => shellCall(request, evil, false);
const note = (call: ToolCall): string => `# Notes\n\nModels write calls like this:\n\n${asToolCall(call)}\n`;

/** Responses that quote a call from a file or show one, and do not make it. */
const quotes: readonly { name: string; label: string; text: (call: ToolCall) => string }[] = [
  {
    name: 'quoted-fence',
    label: 'in a code fence',
    text: (call) => `The file shows this example:\n\n\`\`\`\n${asToolCall(call)}\n\`\`\`\n\nI have not run it.`,
  },
  {
    name: 'quoted-lines',
    label: 'between two paragraphs',
    text: (call) => `notes.md contains these lines:\n\n${asToolCall(call)}\n\nDo you want me to explain them?`,
  },
  {
    name: 'quoted-end',
    label: 'at the end of the response',
    text: (call) => `Here is what notes.md says:\n\n# Notes\n\nModels write calls like this:\n\n${asToolCall(call)}`,
  },
  {
    name: 'quoted-json',
    label: 'as fenced JSON',
    text: (call) => `A call in the documentation looks like this:\n\n${asFence(call)}\n\nIt is only an example.`,
  },
  {
    name: 'quoted-inline',
    label: 'in a sentence',
    text: (call) => `A model would write \`${asToolCall(call).replaceAll('\n', '')}\` to run that command.`,
  },
];

const quotedSteps =
  (text: (call: ToolCall) => string): Scenario['steps'] =>
  (_, folder) => {
    let isWritten = false;
    return [
      {
        write: (request) => {
          // The call in the file has to be one of the agent's own tool.
          writeFileSync(join(folder, 'notes.md'), note(quotedCall(request)));
          return reply(sound(shellCall(request, 'cat notes.md', false)));
        },
        done: ({ results }) => results.length > 0,
      },
      {
        write: (request) => {
          isWritten = true;
          return { text: text(quotedCall(request)), finish: 'stop' };
        },
        done: () => isWritten,
      },
    ];
  };

/** A command whose start, if it runs, writes a file. */
const longCommand = 'echo first > truncated.txt; echo second >> truncated.txt; echo third >> truncated.txt';
const truncated = (text: string): string => text.slice(0, text.indexOf('echo third') + 7);

const truncations: readonly { name: string; label: string; reply: (call: ToolCall) => ModelReply }[] = [
  {
    name: 'truncated-length',
    label: 'arguments, finish reason `length`',
    reply: ({ name, args }) => ({ call: { name, args: truncated(JSON.stringify(args)) }, finish: 'length' }),
  },
  {
    name: 'truncated-calls',
    label: 'arguments, finish reason `tool_calls`',
    reply: ({ name, args }) => ({ call: { name, args: truncated(JSON.stringify(args)) }, finish: 'calls' }),
  },
  {
    name: 'truncated-broken',
    label: 'arguments, connection lost',
    reply: ({ name, args }) => ({ call: { name, args: truncated(JSON.stringify(args)) }, finish: 'broken' }),
  },
  {
    name: 'truncated-text',
    label: 'call as text, finish reason `length`',
    reply: (call) => ({ text: truncated(asToolCall(call)), finish: 'length' }),
  },
];

const templated = (name: string, label: string, template: 'qwen' | 'mistral', kind: ServerName): Scenario => ({
  name,
  label,
  group: 'template',
  ways: both,
  server: { kind, template },
  steps: soundSteps,
  file: out,
});

const atServer = (kind: ServerName): Scenario[] => [
  {
    name: `sound-${kind}`,
    label: `${kind}, sound call`,
    group: 'server',
    ways: ['proxy'],
    server: { kind, context: 32_768 },
    steps: soundSteps,
    file: out,
  },
  {
    name: `no-tools-${kind}`,
    label: `${kind}, refuses tools`,
    group: 'server',
    ways: ['proxy'],
    server: { kind, context: 65_536, refusesTools: true },
    steps: (_, folder) => [shellStep(folder, (call) => ({ text: asToolCall(call) }))],
    file: out,
  },
];

/** All scenarios. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'sound',
    label: 'sound call',
    group: 'control',
    ways: both,
    server: vllm,
    steps: soundSteps,
    file: out,
  },
  // Without these, a damage could fail only because the agent has no such tool, or its result isn't recognized.
  ...(['list', 'scalar'] as const).map(
    (needs): Scenario => ({
      name: `sound-${needs}`,
      label: `sound call with a ${needs}`,
      group: 'control',
      ways: both,
      server: vllm,
      steps: damagedSteps({ needs, write: sound }),
      file: out,
    }),
  ),
  ...damages.map(
    (damage): Scenario => ({
      name: damage.name,
      label: damage.label,
      group: 'damage',
      ways: both,
      file: out,
      server: damage.refusesTools ? { ...vllm, refusesTools: true } : vllm,
      steps: damagedSteps(damage),
    }),
  ),
  ...quotes.map(
    ({ name, label, text }): Scenario => ({
      // Agents read no calls in text themselves.
      name,
      label,
      group: 'quoted',
      ways: ['proxy'],
      server: vllm,
      steps: quotedSteps(text),
      file: { name: 'quoted.txt' },
    }),
  ),
  ...truncations.map(
    ({ name, label, reply: write }): Scenario => ({
      name,
      label,
      group: 'truncated',
      ways: both,
      server: vllm,
      file: { name: 'truncated.txt' },
      steps: () => [{ write: (request) => write(shellCall(request, longCommand, false)), done: () => false }],
    }),
  ),
  templated('template-qwen', 'Qwen at vLLM', 'qwen', 'vllm'),
  templated('template-qwen-llama', 'Qwen at llama-server', 'qwen', 'llama-server'),
  templated('template-mistral', 'Mistral at vLLM', 'mistral', 'vllm'),
  {
    name: 'context-32k',
    label: 'context of 32,768 tokens',
    group: 'context',
    ways: both,
    steps: soundSteps,
    server: { kind: 'vllm', context: 32_768 },
    file: out,
  },
  ...atServer('llama-server'),
  ...atServer('ollama'),
  ...[{ name: 'sound', label: 'sound call', write: sound }, ...damages.filter(({ refusesTools }) => !refusesTools)].map(
    (damage): Scenario => ({
      name: `own-${damage.name}`,
      label: damage.label,
      group: 'own-format',
      ways: both,
      file: out,
      server: { kind: 'vllm', wires: ['anthropic', 'responses'] },
      steps: damagedSteps(damage),
      only: ({ agent: { format } }) => format === 'anthropic' || format === 'openai-responses',
    }),
  ),
];

const mostAttempts = 3;

/** A model that follows a script. */
export interface ScriptedModel {
  readonly reply: (request: ModelRequest) => ModelReply;
  /** Whether it has written its last step, so that an attack has reached the agent. */
  readonly isAtEnd: () => boolean;
}

/** The model of a run: follows the steps, and repeats each until it had its effect, at most three times. */
export function scriptedModel(steps: readonly Step[]): ScriptedModel {
  let at = 0;
  let attempts = 0;
  let resultsBefore = 0;
  const next = (request: ModelRequest): ModelReply => {
    // Requests for titles, summaries and suggestions have no shell tool.
    if (!taskTool(request)) return { text: 'Writing a file', finish: 'stop' };
    if (attempts > 0 && steps[at]?.done(request, resultsBefore)) {
      at += 1;
      attempts = 0;
      resultsBefore = request.results.length;
    }
    const step = steps[at];
    if (!step) return { text: 'Done.', finish: 'stop' };
    attempts += 1;
    return attempts > mostAttempts ? { text: 'I could not do it.', finish: 'stop' } : step.write(request);
  };
  return { reply: next, isAtEnd: () => at >= steps.length || (at === steps.length - 1 && attempts > 0) };
}
