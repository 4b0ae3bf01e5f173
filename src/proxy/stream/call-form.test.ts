import { describe, expect, it } from 'vitest';
import { type JsonObject, parseJson, stringifyJson } from '../../json/value.ts';
import { mendParts } from '../../mend/mend-call.ts';
import type { Format } from '../../model/index.ts';
import { wires } from '../../provider/wire/route.ts';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { isMalformed, replaceCalls } from './call-form.ts';

const inputSchema = {
  type: 'object',
  properties: { path: { type: 'string' }, limit: { type: 'integer' } },
  required: ['path'],
} as const;
const toolbox = new Toolbox([tool({ name: 'read_file', description: 'Reads', effect: 'read', inputSchema })]);

/** Calls in an unusual order of fields, with fields of their own on every level: a damaged one and a sound one. */
const responses: Readonly<Record<Format, string>> = {
  'openai-chat': `{"x":{"score":1.0},"choices":[{"finish_reason":"tool_calls","y":-0,"message":{"tool_calls":[
    {"function":{"arguments":"{path: 'a.ts', limit: '5',}","z":[1e2],"name":"Read-File"},"index":0,"id":"c1","type":"function"},
    {"id":"c2","type":"function","function":{"name":"read_file","arguments":"{\\"path\\": \\"b.ts\\"}"}}
    ],"w":null,"content":"Two files","role":"assistant"},"index":0},{"index":1,"message":{"role":"assistant","content":"other"}}],
    "usage":{"total_tokens":9,"completion_tokens":4,"prompt_tokens":5},"model":"m","object":"chat.completion"}`,
  'openai-responses': `{"status":"completed","x":2.50,"output":[
    {"arguments":"{path: 'a.ts', limit: '5',}","status":"completed","y":1,"name":"Read-File","call_id":"c1","type":"function_call","id":"fc_1"},
    {"type":"message","id":"m1","role":"assistant","status":"completed","content":[{"text":"Two","type":"output_text","annotations":[]}]},
    {"type":"function_call","call_id":"c2","name":"read_file","arguments":"{\\"path\\": \\"b.ts\\"}"}
    ],"model":"m","object":"response","id":"r1"}`,
  anthropic: `{"stop_reason":"tool_use","content":[{"text":"Two","type":"text","x":1},
    {"input":{"Path":"a.ts","limit":"5"},"name":"Read-File","y":1.0,"id":"c1","type":"tool_use"},
    {"type":"tool_use","id":"c2","name":"read_file","input":{"path":"b.ts"}}
    ],"usage":{"output_tokens":4,"input_tokens":5},"role":"assistant","model":"m","type":"message","id":"r1"}`,
  gemini: `{"usageMetadata":{"candidatesTokenCount":4,"promptTokenCount":5},"candidates":[{"finishReason":"STOP","x":1.0,"content":{"parts":[
    {"functionCall":{"args":{"Path":"a.ts","limit":"5"},"name":"Read-File"},"thoughtSignature":"s"},
    {"functionCall":{"name":"read_file","args":{"path":"b.ts"}}}],"role":"model"}}],"modelVersion":"m"}`,
  ollama: `{"done":true,"message":{"tool_calls":[{"function":{"arguments":{"Path":"a.ts","limit":"5"},"name":"Read-File"},"x":1},
    {"function":{"name":"read_file","arguments":{"path":"b.ts"}}}],"content":"","role":"assistant"},"eval_count":4,"prompt_eval_count":5,"model":"m"}`,
};
const formats = Object.keys(responses) as Format[];

const mended = (format: Format, text: string) => {
  const value = parseJson(text) as JsonObject;
  const read = wires[format].readResponse(value);
  return { value, read, ...mendParts(read, { toolbox }) };
};

describe('mended calls in the response that they were read from', () => {
  it.each(formats)('leave all other fields as they are: %s', (format) => {
    const { value, calls } = mended(format, responses[format]);
    expect(replaceCalls(format, value, calls)).toBe(true);
    const isText = responses[format].includes('path: ');
    const input = '{"path":"a.ts","limit":5}';
    const expected = responses[format]
      .replace(/"\{path: [^}]*\}"/, JSON.stringify(input))
      .replace(/\{"Path":[^}]*\}/, input)
      .replace('Read-File', 'read_file');
    expect(stringifyJson(value)).toBe(stringifyJson(parseJson(expected)));
    expect(stringifyJson(value)).toContain(isText ? JSON.stringify(input) : input);
  });

  it.each(formats)('are what a rewritten response has: %s', (format) => {
    const wire = wires[format];
    const { value, calls, response } = mended(format, responses[format]);
    replaceCalls(format, value, calls);
    const written = wire.readResponse(wire.writeResponse(response).wire);
    const edited = wire.readResponse(value);
    const callsIn = ({ message }: typeof edited) =>
      message.parts.flatMap((part) => (part.type === 'call' ? [[part.name, part.arguments]] : []));
    expect(callsIn(edited)).toEqual(callsIn(written));
    expect(callsIn(edited)).toHaveLength(2);
    expect(edited.finish).toBe(written.finish);
    expect(isMalformed(format, value)).toBe(false);
  });

  it.each(formats)("don't change what was read, which is logged: %s", (format) => {
    const { value, read, calls } = mended(format, responses[format]);
    const before = structuredClone(read);
    replaceCalls(format, value, calls);
    expect(read).toEqual(before);
  });

  it.each([
    [
      'a call in the deprecated field',
      '{"choices":[{"message":{"function_call":{"name":"Read-File","arguments":"{path: \'a.ts\'}"}}}]}',
    ],
    [
      'a call that has no name',
      '{"choices":[{"message":{"tool_calls":[{"id":"c0","function":{"name":"","arguments":"{}"}},{"id":"c1","function":{"name":"Read-File","arguments":"{path: \'a.ts\'}"}}]}}]}',
    ],
  ])('change nothing if there is %s', (_, text) => {
    const { value, calls, changed } = mended('openai-chat', text);
    expect(changed).toBe(true);
    expect(replaceCalls('openai-chat', value, calls)).toBe(false);
    expect(stringifyJson(value)).toBe(text);
  });
});
