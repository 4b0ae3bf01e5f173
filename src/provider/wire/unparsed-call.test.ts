import { describe, expect, it } from 'vitest';
import { decoded } from '../../../test/provider/decoded.ts';
import { readCalls } from '../../dialect/index.ts';
import { mend, Toolbox, tool } from '../../index.ts';
import { anthropicMessages } from './anthropic/index.ts';
import { geminiContent } from './gemini/index.ts';
import { ollamaChat } from './ollama/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiResponses } from './openai-responses/index.ts';
import { rawCallText } from './unparsed-call.ts';

const input = {
  type: 'object',
  properties: { path: { type: 'string' }, text: { type: 'string' } },
  required: ['path'],
};
const write = tool({ name: 'write', description: 'Writes', inputSchema: input as never, execute: () => undefined });

describe('a call that the server could not parse', () => {
  const raw = `{"path":"a.txt","text":"it's"}]`;
  const error = `error parsing tool call: raw='${raw}', err=invalid character ']' after top-level value`;

  it("C20 is in the server's error, and can be mended", () => {
    const failed = ollamaChat.readError(500, { error });
    expect(failed).toMatchObject({ kind: 'server', retryable: true, status: 500, message: error });
    const text = rawCallText(failed);
    expect(text).toBe(raw);
    expect(mend({ name: 'write', arguments: text }, new Toolbox([write]))).toMatchObject({
      status: 'mended',
      input: { path: 'a.txt', text: "it's" },
    });
    expect(ollamaChat.writeError(failed)).toEqual({ error });
  });

  it('C20 is what pydantic quotes in an error of vLLM, unless it is shortened', () => {
    const of = (quoted: string) =>
      rawCallText(
        openaiChat.readError(400, {
          error: {
            message: `1 validation error for list[function-wrap[__log_extra_fields__()]]\n  Invalid JSON: trailing comma at line 1 column 9 [type=json_invalid, input_value=${quoted}, input_type=str]\n    For further information visit https://errors.pydantic.dev/2.12/v/json_invalid`,
            type: 'BadRequestError',
          },
        }),
      );
    const text = `[{"name": "write", "parameters": {"path": "a",}}]`;
    expect(of(`'${text}'`)).toBe(text);
    expect(of(`'[{\\n"name": "write", "parameters": {"path": "it\\'s",}}]'`)).toBe(
      `[{\n"name": "write", "parameters": {"path": "it's",}}]`,
    );
    const [call] = readCalls(of(`'${text}'`) ?? '', new Toolbox([write]), { prompted: true }).calls;
    expect(call).toMatchObject({ status: 'mended', input: { path: 'a' } });
    expect(of(`'[  {\\n"name": ...t push --force"\\n\\t'`)).toBeUndefined();
    expect(of('[]')).toBeUndefined();
  });

  it('C20 is detected in the middle of a stream', () => {
    const last = decoded(ollamaChat, `${JSON.stringify({ error })}\n`).at(-1);
    expect(last?.type === 'turn.failed' && rawCallText(last.error)).toBe(raw);
  });

  it.each([
    ['no fault behind it', 'error parsing tool call: raw=\'{"a":1\'', '{"a":1'],
    ['nothing in it', "error parsing tool call: raw='', err=unexpected end of JSON input", undefined],
    ['not told', 'error parsing tool call: unexpected end of JSON input', undefined],
    ['another error', "model 'x' not found", undefined],
  ])('C20 %s', (_, told, text) => {
    expect(rawCallText(ollamaChat.readError(500, { error: told }))).toBe(text);
  });

  it('C20 is in a separate chat field, in a response and in a stream', () => {
    const told = (failed_generation: string): object => ({
      error: { message: 'Failed to call a function.', type: 'invalid_request_error', failed_generation },
    });
    const call = '<function=write>{"path": "a.txt"}</function>';
    expect(rawCallText(openaiChat.readError(400, told(call)))).toBe(call);
    const last = decoded(openaiChat, `event: error\ndata: ${JSON.stringify(told(call))}\n\n`).at(-1);
    expect(last?.type === 'turn.failed' && rawCallText(last.error)).toBe(call);
    expect(rawCallText(openaiChat.readError(400, told('It does not match the schema')))).toBe(undefined);
    expect(rawCallText(openaiChat.readError(400, { error: { message: 'no' } }))).toBe(undefined);
  });

  it('C24 is quoted by a server from where its parser stopped', () => {
    const call = '<tool_call>\n<function=write>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>';
    const error = { code: 500, message: `Failed to parse input at pos 72: ${call}`, type: 'server_error' };
    for (const wire of [openaiChat, openaiResponses, anthropicMessages]) {
      const text = rawCallText(wire.readError(500, { error })) ?? '';
      expect(text).toBe(call);
      expect(readCalls(text, new Toolbox([write])).calls).toMatchObject([{ input: { path: 'a.txt' } }]);
      expect(rawCallText(wire.readError(500, { error: { message: 'Failed to parse input' } }))).toBe(undefined);
    }
  });

  it('C20 is in an error that is only text', () => {
    const error = 'error parsing tool call: raw=\'{"path": "a.txt"}]\', err=invalid character';
    expect(rawCallText(openaiChat.readError(500, { error }))).toBe('{"path": "a.txt"}]');
    expect(rawCallText(openaiChat.readError(500, { error: 'no tool' }))).toBe(undefined);
  });

  it('C24 is the complete message, if special tokens enclose it', () => {
    const call =
      '<|tool_calls_section_begin|><|tool_call_begin|>functions_write_1<|tool_call_argument_begin|>{"path": "a.txt"}<|tool_call_end|><|tool_calls_section_end|>';
    const told = (message: string) => rawCallText(openaiChat.readError(500, { error: { message } }));
    expect(told(call)).toBe(call);
    expect(readCalls(call, new Toolbox([write])).calls).toMatchObject([{ name: 'write', input: { path: 'a.txt' } }]);
    for (const message of [`Unexpected token: ${call}`, `${call} is invalid`, '<html>502</html>', '<|im_end|'])
      expect(told(message)).toBe(undefined);
  });

  it('C24 is in a separate chat field without any brace', () => {
    const call = '<function=write><parameter=path>a.txt</parameter></function>';
    const failed = openaiChat.readError(400, {
      error: { message: 'Failed to call a function.', failed_generation: call },
    });
    expect(rawCallText(failed)).toBe(call);
  });

  it('is in the message of a response that ended with it', () => {
    const finishMessage = "Malformed function call: print(default_api.write(path='a.txt', text='b'))";
    const response = geminiContent.readResponse({
      candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage }],
    });
    expect(response.finish).toBe('error');
    const text = rawCallText(response) ?? '';
    expect(text).toBe("print(default_api.write(path='a.txt', text='b'))");
    const { calls } = readCalls(text, new Toolbox([write]), { prompted: true });
    expect(calls).toMatchObject([{ input: { path: 'a.txt', text: 'b' } }]);
  });

  it('is not in any other response', () => {
    const wire = { candidates: [{ finishReason: 'STOP', finishMessage: 'x', content: { parts: [{ text: 'a' }] } }] };
    expect(rawCallText(geminiContent.readResponse(wire))).toBe(undefined);
  });
});
