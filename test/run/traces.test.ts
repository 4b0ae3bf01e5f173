import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { Store } from '../../src/log/store.ts';
import { type AgentOptions, agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';
import { failingStore } from '../log/failing-store.ts';
import { calls, plays, says } from './plays.ts';

const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
const tracer = provider.getTracer('test');

/** The active context follows the work, as it does under Node's own SDK. */
const kept = new AsyncLocalStorage<Context>();
const manager: ContextManager = {
  active: () => kept.getStore() ?? ROOT_CONTEXT,
  with: (given, work, self, ...args) => kept.run(given, () => work.apply(self as never, args)),
  bind: (_, target) => target,
  enable: () => manager,
  disable: () => manager,
};
beforeAll(() => {
  context.setGlobalContextManager(manager);
});
afterAll(() => {
  context.disable();
});

const secret = 'sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaa';
const look = tool({
  name: 'look',
  description: 'Looks',
  effect: 'read',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const,
  execute: ({ n }) => {
    tracer.startSpan('inside').end();
    if (n === 2) throw new Error(`no ${secret}`);
    return `saw ${secret}`;
  },
});

async function traced(traces: AgentOptions['traces'], more: Partial<AgentOptions> = {}): Promise<ReadableSpan[]> {
  exporter.reset();
  const first = {
    id: 'resp_1',
    model: 'played-2',
    usage: { input: 10, output: 5, cached: 4 },
    message: { role: 'assistant' as const, parts: [calls('look', '{"n": 1}', 'a'), calls('look', '{"n": 2}', 'b')] },
  };
  const model = plays(first, { usage: { input: 20, output: 2 }, message: { role: 'assistant', parts: [says('ok')] } });
  const options = { model, tools: [look], modelSettings: { temperature: 0.5 }, ...more };
  await agent({ ...options, ...(traces !== undefined && { traces }) }).run(`the key is ${secret}`).result;
  return exporter.getFinishedSpans();
}

/** The spans of a name, calls in their order. */
const byName = (spans: readonly ReadableSpan[], name: string): ReadableSpan[] =>
  spans.filter((span) => span.name === name).sort((a, b) => callOf(a).localeCompare(callOf(b)));
const callOf = ({ attributes }: ReadableSpan): string => String(attributes['gen_ai.tool.call.id'] ?? '');
const parentOf = (span: ReadableSpan | undefined): string | undefined => span?.parentSpanContext?.spanId;

describe('traces', () => {
  it('show a run by the conventions: the agent, its turns and its tools, each with its parent', async () => {
    const spans = await traced({ tracer, name: 'helper' });
    const [loop] = byName(spans, 'invoke_agent helper');
    const [first, second] = byName(spans, 'chat played');
    const [good, bad] = byName(spans, 'execute_tool look');
    const id = loop?.spanContext().spanId;
    expect([first, second, good, bad].map(parentOf)).toEqual([id, id, id, id]);
    expect(byName(spans, 'inside').map(parentOf).sort()).toEqual(
      [good, bad].map((span) => span?.spanContext().spanId).sort(),
    );
    expect([loop, first, good].map((span) => span?.kind)).toEqual([
      SpanKind.INTERNAL,
      SpanKind.CLIENT,
      SpanKind.INTERNAL,
    ]);
    expect(loop?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'helper',
      'gen_ai.provider.name': 'test',
      'gen_ai.request.model': 'played',
      'gen_ai.conversation.id': expect.stringMatching(/^run_/),
      'gen_ai.usage.input_tokens': 30,
      'gen_ai.usage.output_tokens': 7,
      'toolmend.run.end': 'done',
    });
    expect(first?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.response.id': 'resp_1',
      'gen_ai.response.model': 'played-2',
      'gen_ai.response.finish_reasons': ['tool_call'],
      'gen_ai.usage.cache_read.input_tokens': 4,
    });
    expect(good?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.call.id': 'a',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.description': 'Looks',
    });
    expect(bad?.attributes['error.type']).toBe('runtime');
    expect([loop, good, bad].map((span) => span?.status.code)).toEqual([
      SpanStatusCode.UNSET,
      SpanStatusCode.UNSET,
      SpanStatusCode.ERROR,
    ]);
  });

  it('use names of the conventions, and few of our own', async () => {
    const known = new Set<unknown>(Object.values(conventions));
    const spans = await traced({ tracer, content: true, name: 'x' });
    const names = new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...names].filter((name) => !known.has(name))).toEqual([
      'toolmend.run.end',
      'toolmend.run.steps',
      'toolmend.run.repairs',
    ]);
    expect(names.size).toBeGreaterThan(18);
  });

  it('have the cost, the repairs, and the model that a step chose', async () => {
    const turn = (part: ReturnType<typeof says>) => ({
      usage: { input: 10, output: 5 },
      message: { role: 'assistant' as const, parts: [part] },
    });
    const large = { ...plays(turn(says('ok'))), name: 'large' };
    const spans = await traced(
      { tracer },
      {
        model: plays(turn(calls('look', '{"n": "1",}', 'a'))),
        prices: { played: { input: 1e5, output: 0 }, large: { input: 2e5, output: 0 } },
        prepareStep: ({ step }) => (step === 2 ? { model: large } : undefined),
      },
    );
    const attribute = (name: string, key: string) => byName(spans, name)[0]?.attributes[key];
    expect(attribute('chat played', 'toolmend.cost')).toBe(1);
    expect(attribute('chat large', 'toolmend.cost')).toBe(2);
    expect(attribute('chat large', 'gen_ai.request.model')).toBe('large');
    expect(attribute('invoke_agent', 'toolmend.cost')).toBe(3);
    expect(attribute('invoke_agent', 'toolmend.run.steps')).toBe(2);
    expect(attribute('invoke_agent', 'toolmend.run.repairs')).toBe(2);
    expect(attribute('execute_tool look', 'toolmend.call.repairs')).toEqual(['comma', 'type']);
  });

  it('contain no content by default', async () => {
    const spans = await traced({ tracer });
    const text = JSON.stringify(
      spans.map(({ name, attributes, status, events }) => ({ name, attributes, status, events })),
    );
    for (const word of ['the key is', 'saw', secret]) expect(text).not.toContain(word);
  });

  it('F23 contain content without secrets if configured', async () => {
    const spans = await traced({ tracer, content: true });
    const text = JSON.stringify(spans.map(({ attributes, status }) => ({ attributes, status })));
    expect(text).not.toContain(secret);
    const [, second] = byName(spans, 'chat played');
    const input = JSON.parse(String(second?.attributes['gen_ai.input.messages']));
    expect(input.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(input[0].parts).toEqual([{ type: 'text', content: 'the key is [redacted]' }]);
    expect(JSON.parse(String(second?.attributes['gen_ai.output.messages']))).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'ok' }], finish_reason: 'stop' },
    ]);
    const [good] = byName(spans, 'execute_tool look');
    expect(good?.attributes['gen_ai.tool.call.arguments']).toBe('{"n":1}');
    expect(good?.attributes['gen_ai.tool.call.result']).toContain('saw [redacted]');
  });

  it('belong to the span in which they started', async () => {
    const outer = tracer.startSpan('outer');
    const spans = await context.with(trace.setSpan(context.active(), outer), () => traced({ tracer }));
    expect(parentOf(byName(spans, 'invoke_agent')[0])).toBe(outer.spanContext().spanId);
  });

  it('end in every case: if the model fails, if the log fails', async () => {
    const broken = { kind: 'network', message: 'gone', retryable: false } as const;
    const response = { message: { role: 'assistant', parts: [] }, finish: 'error' } as const;
    const model = {
      name: 'm',
      provider: 'gemini',
      async *stream() {
        yield { type: 'turn.failed', error: broken, response } as const;
      },
    };
    const spans = await traced({ tracer }, { model });
    expect(
      spans.map(({ name, attributes }) => [name, attributes['error.type'], attributes['gen_ai.provider.name']]),
    ).toEqual([
      ['chat m', 'network', 'gcp.gemini'],
      ['invoke_agent', 'model', 'gcp.gemini'],
    ]);
    const store: Store = failingStore(memoryStore(), 2, 'before');
    const halted = await traced({ tracer }, { store });
    expect(byName(halted, 'invoke_agent')[0]?.attributes).toMatchObject({
      'toolmend.run.end': 'storage',
      'error.type': 'storage',
    });
    expect(halted.every(({ ended }) => ended)).toBe(true);
  });

  it('use the tracer of the program, none if there is none, and can be turned off', async () => {
    expect((await traced(undefined)).map(({ name }) => name)).toEqual(['inside', 'inside']);
    trace.setGlobalTracerProvider(provider);
    expect((await traced(undefined)).map(({ name }) => name)).toContain('invoke_agent');
    expect((await traced(false)).map(({ name }) => name)).toEqual(['inside', 'inside']);
    trace.disable();
  });
});
