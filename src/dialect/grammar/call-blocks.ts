/** Names of tags that no dialect has, but that are named like a block of calls. */
const blockWords = new Set(['tool', 'function', 'call', 'invoke', 'action']);
const blockMore = new Set(['use', 'uses', 'request', 'requests', 'execute', 'exec', 'invocation', 'code', 'block']);

/** The words of a tag's name, in small letters and without a prefix or a plural. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/^.*[:|｜]\s*(?=\w)/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .replace(/\b(tool|function)(?=[cu])/g, '$1_')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word) => (blockWords.has(word.replace(/s$/, '')) ? word.replace(/s$/, '') : word));

/**
 * Whether a tag that no row has is named like a block of calls: `tool_use`, `function-calls`. Results aren't, and `tools`
 * lists tools.
 */
export const isCallBlock = (name: string): boolean =>
  namesCalls(name) && (wordsOf(name).length > 1 || !/^[tf]/.test(name));

/** Whether a tag's name consists of words for calls and tools. */
export const namesCalls = (name: string): boolean => {
  const words = wordsOf(name);
  return (
    words.some((word) => blockWords.has(word)) && words.every((word) => blockWords.has(word) || blockMore.has(word))
  );
};

/** Whether the beginning of a tag's name may become such a name. */
export const mayNameCalls = (begun: string): boolean => {
  const words = wordsOf(begun);
  const last = words.at(-1) ?? '';
  const isWord = (word: string): boolean => blockWords.has(word) || blockMore.has(word);
  return words.slice(0, -1).every(isWord) && [...blockWords, ...blockMore].some((one) => `${one}s`.startsWith(last));
};
