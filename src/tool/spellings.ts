/** The same name with something around it taken off. */
export interface Spelling {
  readonly name: string;
  /** True where a server's name went with it: then the tool may not be looked for under another server. */
  readonly ofServer: boolean;
}

/** Special tokens of chat templates; other angle brackets may belong to a name. */
const token = /<[|｜][^<>]*>|<\/?(?:s|bos|eos|tool|tool_call|function|function_call|end_of_turn)>/giu;
const fromToken = /<[|｜].*$/su;
const wrapping = /^[\s'"`]+|[\s'"`]+$|\s*\(\s*\)\s*$/gu;
const hostPrefix = /^\s*(?:functions|tools|default_api)\s*(?:::|[.:/])\s*/i;
/** Some models count their calls: `functions.read_file:0`. */
const counter = /:\d+$/;
const serverPrefix = /^(?:mcp__.+?__|[\p{L}\p{N}_-]+\.)(?=.)/iu;

/**
 * What a written name may be without stray special tokens, quotes around it and known prefixes, each with less than
 * the one before. The name as it was written is not among them.
 */
export function spellings(written: string): Spelling[] {
  const found = new Map<string, Spelling>();
  const put = (name: string, ofServer: boolean) => {
    if (name !== written && name !== '' && !found.has(name)) found.set(name, { name, ofServer });
  };
  // Harmony leaves `name<|channel|>commentary`: there the text after the token is no part of the name either.
  for (const start of [written, written.replace(token, ''), written.replace(fromToken, '')]) {
    let name = start.replace(wrapping, '');
    put(name, false);
    for (let bare = name.replace(hostPrefix, ''); bare !== name; bare = name.replace(hostPrefix, '')) {
      name = bare;
      put(name, false);
    }
    put(name.replace(counter, ''), false);
    put(name.replace(serverPrefix, ''), serverPrefix.test(name));
  }
  return [...found.values()];
}
