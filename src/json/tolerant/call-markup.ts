/** Markup in which dialects write calls. Servers that parse it wrongly leave parts of it in names, keys and values. */

/** Tags that dialects write calls in. Any other tag has content of its own, and so the object in it is a part. */
export const callTag: RegExp = /<\/?(?:(?:tool|function)_calls?|s)>/gi;

/** Closing tags of calls and parameters. */
export const callClosers =
  '</(?:[\\w｜]{1,16}(?:[:｜]|｜ ))?(?:parameter|invoke|function|function_calls?|(?<=｜ )calls|tool_calls?|tool_use|(?:arg|param)_value)>';

/** Such tags at the end of a text. */
export const closersAtEnd: RegExp = new RegExp(`(?:\\s*${callClosers})+\\s*$`, 'i');

/** A name in the markup of a parameter: `parameter name="path"`, `<parameter=path>`, `path</arg_key>`, `<arg_key>path`. */
const inParameter =
  /^<?(?:[\w｜]{1,16}(?:[:｜]|｜ ))?(?:parameter|param|argument)(?:\s+name)?\s*=\s*(["']?)([\w.-]+)\1\s*>?$|^(?:<(?:arg|param)_key>\s*)?([\w.-]+)\s*<\/(?:(?:arg|param)_key|parameter)>$|^<(?:arg|param)_key>\s*([\w.-]+)$/;

/** The name of the parameter in whose markup a key is; undefined if it is in none. */
export function nameInMarkup(key: string): string | undefined {
  const found = inParameter.exec(key);
  return found?.[2] ?? found?.[3] ?? found?.[4];
}
