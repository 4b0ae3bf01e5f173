import { describe, expect, it } from 'vitest';
import { mend } from '../../mend/mend.ts';
import type { CallPart, Message, ToolSpec, TurnRequest } from '../../model/index.ts';
import type { SchemaObject } from '../../schema/types.ts';
import { specOf, tool, toolFromSpec } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { fitRequest as fitTo } from './fit-request.ts';

// Under its own name it would read as a focused test to the linter.

const call = (name: string, given: unknown, id = 'call_1'): CallPart => ({ type: 'call', id, name, arguments: given });
const asked = (tools: readonly ToolSpec[], messages: readonly Message[] = []): TurnRequest => ({
  model: 'm',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Go' }] }, ...messages],
  tools,
});
const spec = (name: string, schema: ToolSpec['schema'], more: Partial<ToolSpec> = {}): ToolSpec => ({
  type: 'function',
  name,
  ...(schema !== undefined && { schema }),
  ...more,
});

describe('fit', () => {
  it('leaves a request alone that fits already', () => {
    const request: TurnRequest = {
      ...asked([spec('read', { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] })]),
      toolChoice: { tool: 'read' },
    };
    for (const target of ['openai', 'anthropic', 'gemini', 'plain'] as const) {
      const fitted = fitTo(request, target);
      expect(fitted.request).toEqual(request);
      expect(fitted.warnings).toEqual([]);
      const made = call('read', '{"path": "a.ts"}');
      expect(fitted.undo(made)).toBe(made);
    }
  });

  it.each(['openai', 'plain'] as const)("shortens call ids to 40 characters, OpenAI's limit: %s", (target) => {
    const id = `call_${'x'.repeat(60)}`;
    const turns: Message[] = [
      { role: 'assistant', parts: [call('read', '{}', id)] },
      { role: 'user', parts: [{ type: 'result', callId: id, content: [] }] },
    ];
    const { request } = fitTo(asked([spec('read', {})], turns), target);
    const [made, result] = request.messages.slice(-2).map(({ parts }) => parts[0]);
    const sent = made?.type === 'call' ? made.id : '';
    expect(sent).toMatch(/^call_[\w-]{1,35}$/);
    expect(result).toMatchObject({ callId: sent });
  });

  it('C14 a call is checked against the original schema, not the reduced one', () => {
    const slug = tool({
      name: 'publish',
      description: 'Publishes',
      inputSchema: {
        type: 'object',
        properties: { slug: { type: 'string', pattern: '^[a-z-]+$' }, copies: { type: 'integer', multipleOf: 5 } },
        required: ['slug'],
      },
    });
    const { request, undo } = fitTo(asked([specOf(slug)]), 'gemini');
    expect(request.tools?.[0]).toMatchObject({
      schema: {
        properties: {
          slug: { type: 'string', description: 'Must match ^[a-z-]+$.' },
          copies: { type: 'integer', description: 'A multiple of 5.' },
        },
      },
    });
    const toolbox = new Toolbox([slug]);
    expect(mend(undo(call('publish', { slug: 'Not A Slug', copies: 7 })), toolbox)).toMatchObject({
      status: 'invalid',
      problems: [{ code: 'pattern' }, { code: 'multipleOf' }],
    });
    expect(mend(undo(call('publish', { slug: 'a-slug', copies: 10 })), toolbox)).toMatchObject({ status: 'ok' });
  });

  it('C11 reports a required name that is not a property, and omits it where it would be rejected', () => {
    const faulty = spec('search', { type: 'object', properties: { q: { type: 'string' } }, required: ['q', 'size'] });
    const { request, warnings } = fitTo(asked([faulty]), 'gemini');
    expect(request.tools?.[0]).toMatchObject({ schema: { required: ['q'], description: "Must have 'size'." } });
    expect(warnings).toEqual([expect.objectContaining({ where: 'tools.0.schema', kind: 'described' })]);
  });

  it('sends names as the provider takes them, everywhere, and gives them back', () => {
    const tools = [spec('files.read', { type: 'object' }), spec('files_read', { type: 'object' })];
    const history: Message[] = [
      { role: 'assistant', parts: [call('files.read', {})] },
      { role: 'user', parts: [{ type: 'result', callId: 'call_1', name: 'files.read', content: [] }] },
    ];
    const { request, undo, undoEvent } = fitTo(
      { ...asked(tools, history), toolChoice: { tool: 'files.read' } },
      'openai',
    );
    const sent = request.tools?.[0] as ToolSpec;
    expect(sent.name).toMatch(/^files_read_[\da-f]{8}$/);
    expect(request.tools?.[1]).toMatchObject({ name: 'files_read' });
    expect(request.toolChoice).toEqual({ tool: sent.name });
    expect(request.messages[1]?.parts[0]).toMatchObject({ name: sent.name });
    expect(request.messages[2]?.parts[0]).toMatchObject({ name: sent.name });
    expect(undo(call(sent.name, '{}')).name).toBe('files.read');
    expect(undo(call('files_read', '{}')).name).toBe('files_read');
    const started = undoEvent({ type: 'part.started', index: 0, part: call(sent.name, '') });
    expect(started).toMatchObject({ part: { name: 'files.read' } });
  });

  it('fits ids, and results follow their calls', () => {
    const history: Message[] = [
      { role: 'assistant', parts: [call('a', {}, 'functions.a:0'), call('a', {}, 'fine')] },
      {
        role: 'user',
        parts: ['functions.a:0', 'fine'].map((callId) => ({ type: 'result', callId, content: [] })),
      },
      { role: 'assistant', parts: [call('a', {}, 'functions.a:0')] },
      { role: 'user', parts: [{ type: 'result', callId: 'functions.a:0', content: [] }] },
    ];
    const { request } = fitTo(asked([], history), 'anthropic');
    const ids = request.messages.flatMap(({ parts }) =>
      parts.map((part) => (part.type === 'call' ? part.id : part.type === 'result' ? part.callId : undefined)),
    );
    expect(ids).toEqual([
      undefined,
      'functions_a_0',
      'fine',
      'functions_a_0',
      'fine',
      'functions_a_0_2',
      'functions_a_0_2',
    ]);
    const long = fitTo(asked([], [{ role: 'assistant', parts: [call('a', {}, 'x'.repeat(60))] }]), 'openai');
    expect(long.request.messages[1]?.parts[0]).toMatchObject({ id: expect.stringMatching(/^x{31}_[\da-f]{8}$/) });
  });

  it('C19 arguments in the history that are no JSON object are mended or replaced, and nothing else changes', () => {
    const given = ['{"a": 1}', "{a: 'b',}", '{"path": "half of', '', '[1, 2]', '"{\\"a\\": 1}"', '{"a": 1, "a": 2}'];
    const history: Message[] = [
      { role: 'assistant', parts: given.map((text, index) => call('t', text, `call_${index}`)) },
      {
        role: 'assistant',
        parts: [{ type: 'text', text: "{a: 'b',}" }, call('t', [1], 'call_x'), call('t', null, 'call_y')],
      },
    ];
    const { request, warnings } = fitTo(asked([], history), 'plain');
    const sent = request.messages
      .slice(1)
      .map(({ parts }) => parts.map((part) => ('arguments' in part ? part.arguments : part)));
    expect(sent).toEqual([
      ['{"a": 1}', '{"a":"b"}', '{}', '{}', '{}', '{"a":1}', '{}'],
      [{ type: 'text', text: "{a: 'b',}" }, {}, {}],
    ]);
    expect(warnings.map(({ where, kind }) => `${where} ${kind}`)).toEqual([
      'messages.1.parts.1.arguments rewritten',
      'messages.1.parts.2.arguments dropped',
      'messages.1.parts.3.arguments rewritten',
      'messages.1.parts.4.arguments dropped',
      'messages.1.parts.5.arguments rewritten',
      'messages.1.parts.6.arguments dropped',
      'messages.2.parts.1.arguments dropped',
      'messages.2.parts.2.arguments rewritten',
    ]);
  });

  it('undoes the nulls of strict mode before the call is judged, and records no repair', () => {
    const input = {
      type: 'object',
      properties: {
        path: { type: 'string' },
        limit: { type: 'integer' },
        label: { type: ['string', 'null'] },
        edits: {
          type: 'array',
          items: { type: 'object', properties: { to: { type: 'string' }, at: { type: 'integer' } }, required: ['to'] },
        },
        target: { anyOf: [{ $ref: '#/$defs/File' }, { type: 'string' }] },
      },
      required: ['path'],
      additionalProperties: false,
      $defs: { File: { type: 'object', properties: { file: { type: 'string' }, line: { type: 'number' } } } },
    } as const;
    const edit = tool({ name: 'edit', description: 'Edits', inputSchema: input });
    const { request, undo, undoEvent } = fitTo(asked([specOf(edit)]), 'openai-strict');
    expect(request.tools?.[0]).toMatchObject({ strict: true, schema: { required: Object.keys(input.properties) } });
    const written = {
      path: 'a.ts',
      limit: null,
      label: null,
      edits: [
        { to: 'x', at: null },
        { to: 'y', at: 3 },
      ],
      target: { file: null, line: 4 },
    };
    const meant = { path: 'a.ts', label: null, edits: [{ to: 'x' }, { to: 'y', at: 3 }], target: { line: 4 } };
    expect(undo(call('edit', JSON.stringify(written))).arguments).toBe(JSON.stringify(meant));
    expect(undo(call('edit', written)).arguments).toEqual(meant);
    expect(mend(undo(call('edit', JSON.stringify(written))), new Toolbox([edit]))).toMatchObject({
      status: 'ok',
      repairs: [],
    });
    const part = call('edit', JSON.stringify(written));
    const response = { message: { role: 'assistant' as const, parts: [part] }, finish: 'tool_calls' as const };
    const parts = [call('edit', JSON.stringify(meant))];
    expect(undoEvent({ type: 'part.finished', index: 0, part })).toMatchObject({ part: parts[0] });
    expect(undoEvent({ type: 'turn.finished', response })).toMatchObject({ response: { message: { parts } } });
    const grew = { type: 'part.delta' as const, index: 0, text: '{' };
    expect(undoEvent(grew)).toBe(grew);
  });

  it('leaves ambiguous text alone for mend to report', () => {
    const tools = [spec('t', { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } })];
    const { undo } = fitTo(asked(tools), 'openai-strict');
    for (const text of ['{"a": null, "a": "x"}', '{"a": null, "b": 12345678901234567890}', '{"a": null']) {
      expect(undo(call('t', text)).arguments).toBe(text);
    }
  });

  it('does not hold the model to a schema that strict mode can not say', () => {
    const tools = [
      spec(
        'map',
        { type: 'object', properties: { labels: { type: 'object', additionalProperties: { type: 'string' } } } },
        { strict: true },
      ),
      spec('plain', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, { strict: true }),
    ];
    const { request, warnings } = fitTo(asked(tools), 'openai');
    expect(request.tools).toMatchObject([
      { strict: false, schema: { properties: { labels: { additionalProperties: { type: 'string' } } } } },
      { strict: true, schema: { additionalProperties: false } },
    ]);
    expect(warnings[0]).toMatchObject({ where: 'tools.0.schema', kind: 'dropped' });
  });

  it('gives property names back as they were', () => {
    const tools = [
      spec('query', {
        type: 'object',
        properties: {
          $filter: { type: 'string' },
          'a b': { type: 'object', properties: { '@id': { type: 'string' } } },
        },
      }),
    ];
    const { request, undo } = fitTo(asked(tools), 'anthropic');
    const [sent] = request.tools as ToolSpec[];
    expect(Object.keys((sent?.schema as SchemaObject | undefined)?.properties ?? {})).toEqual(['_filter', 'a_b']);
    expect(undo(call('query', { _filter: 'x', a_b: { _id: 'y' } })).arguments).toEqual({
      $filter: 'x',
      'a b': { '@id': 'y' },
    });
  });

  it('S3.6 no tools stay no tools, and Anthropic always reads type object', () => {
    expect(fitTo(asked([]), 'gemini').request.tools).toEqual([]);
    expect(fitTo(asked([spec('now', undefined)]), 'anthropic').request.tools).toMatchObject([
      { schema: { type: 'object' } },
    ]);
    expect(fitTo(asked([spec('now', { type: 'object', properties: {} })]), 'gemini').request.tools).toEqual([
      { type: 'function', name: 'now' },
    ]);
  });

  it('lowers the output schema, and lifts the response', () => {
    const schema: SchemaObject = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a'],
    };
    const output = { type: 'schema' as const, name: 'my answer', schema, strict: true };
    const { request, undoOutput } = fitTo({ ...asked([]), output }, 'openai');
    expect(request.output).toMatchObject({ name: 'my_answer', strict: true, schema: { required: ['a', 'b'] } });
    expect(undoOutput({ a: 'x', b: null })).toEqual({ a: 'x' });
    const list = {
      ...asked([]),
      output: { type: 'schema' as const, schema: { type: 'array', items: { const: 'x' } } as const },
    };
    expect(fitTo(list, 'gemini').request.output).toMatchObject({ schema: { type: 'array', items: { enum: ['x'] } } });
  });

  it('a tool of a request becomes a tool of a toolbox, and back', () => {
    const given = spec('read', { type: 'object', properties: { path: { type: 'string' } } }, { description: 'Reads' });
    const made = toolFromSpec(given);
    expect(made).toMatchObject({ effect: 'write', repeat: 'once' });
    expect(specOf(made)).toEqual(given);
    expect(mend(call('Read', { path: 1 }), new Toolbox([made], { validate: false }))).toMatchObject({
      status: 'mended',
    });
  });
});
