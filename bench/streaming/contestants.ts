/** All parsers that can read an incomplete call, used as their users do. */
import { JsonReader } from '../../src/json/read-json.ts';
import type { JsonValue, Path } from '../../src/json/value.ts';
import { installPeers, type Peers } from '../install-peers.ts';
import { bamlPartial } from './baml-partial.ts';
import { type Contestant, newest, piece, seen } from './contestant.ts';

type Parse = (text: string) => unknown;

const leafAt = (value: JsonValue | undefined, path: Path): unknown => {
  let now: unknown = value;
  for (const key of path) now = (now as Record<string | number, unknown> | undefined)?.[key];
  return now;
};

/** Our own: each character is read once. */
export const toolmend: Contestant = {
  name: 'Toolmend',
  how: '`JsonReader`',
  way: 'keeps',
  read: (text) => {
    const reader = new JsonReader();
    for (let at = 0; at < text.length; at += piece) {
      reader.push(text.slice(at, at + piece));
      seen.leaf = leafAt(reader.value, reader.path);
    }
    return reader.end().value;
  },
};

/** A parser of whole texts that takes incomplete ones: it is given all that came for each chunk. */
const again = (name: string, how: string, parse: Parse): Contestant => ({
  name,
  how,
  way: 'again',
  read: (text) => {
    let value: unknown;
    for (let at = piece; at < text.length + piece; at += piece) {
      try {
        value = parse(text.slice(0, at));
      } catch (error) {
        // Some beginnings have no value yet; the whole text has one.
        if (at >= text.length) throw error;
      }
      seen.leaf = newest(value);
    }
    return value;
  },
});

interface StreamParser {
  onValue: (found: { readonly value: unknown; readonly stack: readonly unknown[] }) => void;
  readonly write: (text: string) => void;
}

type Make = (load: Peers['load']) => Promise<Contestant>;

const makers: readonly { readonly packages: Parameters<typeof installPeers>[0]; readonly make: Make }[] = [
  {
    packages: ['jsonriver'],
    make: async (load) => {
      const { parse } = await load<{ parse: (pieces: AsyncIterable<string>) => AsyncIterable<unknown> }>('jsonriver');
      async function* pieces(text: string): AsyncGenerator<string> {
        for (let at = 0; at < text.length; at += piece) yield text.slice(at, at + piece);
      }
      const read = async (text: string): Promise<unknown> => {
        let value: unknown;
        for await (value of parse(pieces(text))) seen.leaf = newest(value);
        return value;
      };
      return { name: 'jsonriver', how: '`parse` of a stream', way: 'keeps', read };
    },
  },
  {
    packages: ['@streamparser/json'],
    make: async (load) => {
      const { JSONParser } = await load<{ JSONParser: new (options: object) => StreamParser }>('@streamparser/json');
      const read = (text: string): unknown => {
        const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true });
        let whole: unknown;
        parser.onValue = ({ value, stack }) => {
          seen.leaf = value;
          if (stack.length === 0) whole = value;
        };
        for (let at = 0; at < text.length; at += piece) parser.write(text.slice(at, at + piece));
        return whole;
      };
      return { name: '@streamparser/json', how: '`JSONParser` with partial values', way: 'keeps', read };
    },
  },
  {
    packages: ['ai'],
    make: async (load) => {
      const { parsePartialJson } = await load<{ parsePartialJson: (text: string) => Promise<{ value: unknown }> }>(
        'ai',
      );
      const read = async (text: string): Promise<unknown> => {
        let value: unknown;
        for (let at = piece; at < text.length + piece; at += piece) {
          value = (await parsePartialJson(text.slice(0, at))).value;
          seen.leaf = newest(value);
        }
        return value;
      };
      return { name: 'AI SDK', how: '`parsePartialJson`', way: 'again', read };
    },
  },
  {
    packages: ['@langchain/core'],
    make: async (load) => {
      const { parsePartialJson } = await load<{ parsePartialJson: Parse }>('@langchain/core/output_parsers');
      return again('LangChain', '`parsePartialJson`', parsePartialJson);
    },
  },
  {
    packages: ['openai'],
    make: async (load) => {
      const { partialParse } = await load<{ partialParse: Parse }>('openai/_vendor/partial-json-parser/parser');
      return again('OpenAI SDK', 'its internal parser', partialParse);
    },
  },
  {
    packages: ['@anthropic-ai/sdk'],
    make: async (load) => {
      const { partialParse } = await load<{ partialParse: Parse }>(
        '@anthropic-ai/sdk/_vendor/partial-json-parser/parser',
      );
      return again('Anthropic SDK', 'its internal parser', partialParse);
    },
  },
  {
    packages: ['partial-json'],
    make: async (load) => again('partial-json', '`parse`', (await load<{ parse: Parse }>('partial-json')).parse),
  },
  {
    packages: ['best-effort-json-parser'],
    make: async (load) => {
      const { parse, disableErrorLogging } = await load<{ parse: Parse; disableErrorLogging: () => void }>(
        'best-effort-json-parser',
      );
      disableErrorLogging();
      return again('best-effort-json-parser', '`parse`', parse);
    },
  },
  {
    packages: ['jsonrepair'],
    make: async (load) => {
      const { jsonrepair } = await load<{ jsonrepair: (text: string) => string }>('jsonrepair');
      // It doesn't accept every valid text, so a careful user calls `JSON.parse` first.
      const parse = (text: string): unknown => {
        try {
          return JSON.parse(text);
        } catch {
          return JSON.parse(jsonrepair(text));
        }
      };
      return again('jsonrepair', '`JSON.parse`, then `jsonrepair` if that fails', parse);
    },
  },
  {
    packages: ['@typia/utils'],
    make: async (load) => {
      const { LlmJson } = await load<{ LlmJson: { parse: (text: string) => { data?: unknown } } }>('@typia/utils');
      return again('typia', '`LlmJson.parse`', (text) => LlmJson.parse(text).data);
    },
  },
  {
    packages: ['@boundaryml/baml'],
    make: async (load) => again('BAML', '`b.parseStream`', bamlPartial(await load('@boundaryml/baml'))),
  },
];

/** Ours and all that can be installed, with their versions and why others are missing. */
export async function contestants(): Promise<Pick<Peers, 'versions' | 'missing'> & { readonly all: Contestant[] }> {
  const { versions, missing, load } = installPeers(makers.flatMap(({ packages }) => packages));
  const there = makers.filter(({ packages }) => packages.every((name) => !(name in missing)));
  return { versions, missing, all: [toolmend, ...(await Promise.all(there.map(({ make }) => make(load))))] };
}
