/** The same name with something around it taken off. */
export interface Spelling {
  readonly name: string;
  /** The server whose prefix went with it: then the tool may not be looked for under another server. */
  readonly server?: string;
  /** The name was written twice, which two calls run together would look like too. */
  readonly twice?: true;
}

/** Special tokens of chat templates and tags around calls; other angle brackets, and tokens inside, may belong to a name. */
const token =
  /<[|｜][^<>]*>|<\/?(?:s|bos|eos|end_of_turn|name|(?:antml:)?(?:tool|function|tool_call|function_call|tool_use|invoke)(?:s|_name)?)>/iu;
const tokensAround = new RegExp(`^(?:\\s*(?:${token.source}))+|(?:(?:${token.source})\\s*)+$`, 'giu');
/** Half a token at either end: `<|"|read_file`, `read_file<|"|`. */
const halfToken = /^<[|｜]"[|｜]|<[|｜]"[|｜]$/gu;
/** The opening tag of a call that holds nothing but the name. */
const tag =
  /^<?(?:(?:antml:)?(?:tool|function|invoke|tool_call|function_call)(?:\s+name)?|name)\s*=\s*["']?([^\s"'<>=]+)["']?\s*\/?>?$/iu;
/** What follows a token is no part of the name, unless it may be the arguments. */
const fromToken =
  /(?<![_.\s-])<[|｜](?:channel|constrain|message|recipient|start|end|call|im_\w+|eo[tm]_id)[|｜]>[^{=]*$/su;
const wrapping = /^[\s'"`]+|[\s'"`>/,;:]+$|\s*\(\s*\)\s*$/gu;
const hostPrefix = /^\s*(?:functions|tools|default_api)\s*(?:::|[.:/])\s*/i;
/** Some models count their calls: `functions.read_file:0`. */
const counter = /:\d+$/;
const serverPrefix = /^mcp__(.+?)__(?=.)/iu;
const doubled = /^(.{2,}?)[\s,;.:|/_-]*\1$/su;

/**
 * What a written name may be without stray special tokens, tags and quotes around it and known prefixes, each with less
 * than the one before. The name as it was written is not among them.
 */
export function spellings(written: string): Spelling[] {
  const found = new Map<string, Spelling>();
  const put = (name: string, more: Omit<Spelling, 'name'>) => {
    if (name !== written && name !== '' && !found.has(name)) found.set(name, { name, ...more });
  };
  const take = (start: string, more: Omit<Spelling, 'name'>) => {
    let name = start.replace(wrapping, '');
    put(name, more);
    for (let bare = name.replace(hostPrefix, ''); bare !== name; bare = name.replace(hostPrefix, '')) {
      name = bare;
      put(name, more);
    }
    put(name.replace(counter, ''), more);
    const server = serverPrefix.exec(name)?.[1];
    if (server) put(name.replace(serverPrefix, ''), { ...more, server });
  };
  const bare = written.replace(tokensAround, '').replace(halfToken, '').trim();
  const tagged = tag.exec(bare)?.[1];
  // Harmony leaves `name<|channel|>commentary`: there the text after the token is no part of the name either.
  for (const start of [written, bare, written.replace(fromToken, ''), ...(tagged ? [tagged] : [])]) {
    take(start, {});
    const half = doubled.exec(start.trim())?.[1];
    if (half) take(half, { twice: true });
  }
  return [...found.values()];
}
