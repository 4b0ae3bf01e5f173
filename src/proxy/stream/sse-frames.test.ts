import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/sample.ts';
import { parseJson } from '../../json/value.ts';
import { RepeatedFrames, type SseFrame } from './sse-frames.ts';

const frameOf = (data: string, name?: string): SseFrame => ({
  bytes: Buffer.from(`data: ${data}\n\n`),
  data,
  ...(name !== undefined && { name }),
});
const chat = (text: string, more = ''): string =>
  `{"id":"c","choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}},"finish_reason":null}]${more}}`;
const piece = (text: string): string =>
  `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":${JSON.stringify(text)}}}]}}]}`;

/** A reader that has parsed one frame. */
function afterFrame(data: string, text: string, name?: string): RepeatedFrames {
  const frames = new RepeatedFrames();
  frames.learn(frameOf(data, name), text, undefined);
  return frames;
}

describe('frames that repeat an earlier one', () => {
  it('have the value that parsing gives, whatever their text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', minLength: 1 }), (text, learned) => {
        const found = afterFrame(chat(learned), learned).read(frameOf(chat(text)));
        if (found) expect(found.value).toEqual(parseJson(chat(text)));
      }),
      { numRuns: runs(3000) },
    );
    expect(afterFrame(chat('a'), 'a').read(frameOf(chat('"}],"\\ü\n')))?.value).toEqual(JSON.parse(chat('"}],"\\ü\n')));
  });
  it.each([':', ',', '"', '},', '0', 'index', 'content', ''])('are read correctly after the text %j', (learned) => {
    const found = afterFrame(chat(learned), learned).read(frameOf(chat('x')));
    if (found) expect(found.value).toEqual(JSON.parse(chat('x')));
  });
  it.each([
    ['text that is not a JSON string', chat('a').replace('"a"', '"a" "b"')],
    ['a number as text', chat('a').replace('"a"', '5')],
    ['two fields in place of the text', chat('a').replace('"a"', '"a","tool_calls":"b"')],
    ['an unescaped line break', chat('a').replace('"a"', '"a\nb"')],
    ['another finish reason', chat('a').replace('null', '"stop"')],
    ['another choice', chat('a').replace('"index":0', '"index":1')],
    ['more fields', chat('a', ',"usage":{}')],
  ])('are parsed if there is %s', (_, data) => {
    expect(afterFrame(chat('a'), 'a').read(frameOf(data))).toBeUndefined();
  });
  it('are parsed if the name of the event differs', () => {
    expect(afterFrame(chat('a'), 'a', 'one').read(frameOf(chat('b'), 'two'))).toBeUndefined();
    expect(afterFrame(chat('a'), 'a', 'one').read(frameOf(chat('b'), 'one'))).toBeDefined();
  });
  it('are parsed if a number must keep its notation', () => {
    expect(afterFrame(chat('a', ',"created":1.0'), 'a').read(frameOf(chat('b', ',"created":1.0')))).toBeUndefined();
  });
  it('are parsed if the text is in a field that decides something', () => {
    const named = (name: string): string => `{"choices":[{"delta":{"tool_calls":[{"function":{"name":"${name}"}}]}}]}`;
    expect(afterFrame(named('a'), 'a').read(frameOf(named('b')))).toBeUndefined();
  });
  it('are not searched for once eight frames in a row differed', () => {
    const frames = new RepeatedFrames();
    for (let at = 0; at < 9; at += 1) frames.learn(frameOf(chat('a', `,"x":${at}`)), 'a', undefined);
    expect(frames.read(frameOf(chat('b', ',"x":8')))).toBeUndefined();
    expect(frames.read(frameOf(chat('b', ',"x":7')))).toBeDefined();
  });
  it('do not share objects, which a reader may keep', () => {
    const frames = afterFrame(chat('a'), 'a');
    const [one, two] = ['b', 'c'].map((text) => frames.read(frameOf(chat(text)))?.value);
    expect([one, two]).toEqual([JSON.parse(chat('b')), JSON.parse(chat('c'))]);
  });
});

describe('frames of text in a row', () => {
  it('are joined up to the first one that differs', () => {
    const all = ['b', ' c', '"d'].map((text) => frameOf(chat(text)));
    const run = afterFrame(chat('a'), 'a').readRun([frameOf('{}'), ...all, frameOf('{}')], 1);
    expect(run).toEqual({ count: 3, value: JSON.parse(chat('b c"d')) });
  });
  it('are not joined if there is only one', () => {
    expect(afterFrame(chat('a'), 'a').readRun([frameOf(chat('b')), frameOf('{}')], 0)).toBeUndefined();
  });
  it.each([
    ['openai-chat', piece],
    ['anthropic', (text: string) => `{"index":1,"delta":{"partial_json":${JSON.stringify(text)}}}`],
  ])('are not joined if they are arguments, whose pieces count (%s)', (_, write) => {
    const frames = afterFrame(write('a'), 'a');
    expect(frames.readRun([frameOf(write('b')), frameOf(write('c'))], 0)).toBeUndefined();
    expect(frames.read(frameOf(write('b')))).toMatchObject({ mayCall: true, value: JSON.parse(write('b')) });
  });
});
