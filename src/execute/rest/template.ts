/** The names that stand in braces, in their order. */
export const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);

/** Puts something in place of each name in braces. */
export const fill = (text: string, put: (name: string) => string): string =>
  text.replace(/\{([^{}]*)\}/g, (_, name: string) => put(name));

/** The name, where the text is nothing but one placeholder; so a value can keep its type. */
export const onlyPlaceholder = (text: string): string | undefined => /^\{([^{}]+)\}$/.exec(text)?.[1];

/** An address with placeholders, in its parts. */
export interface UrlTemplate {
  readonly origin: string;
  readonly path: string;
  /** Templates by parameter, as the address has them. */
  readonly query: readonly (readonly [string, string])[];
}

/** Takes an address apart; undefined where it is none, or where its host is not fixed. */
export function urlTemplate(url: string): UrlTemplate | undefined {
  const [, origin = '', path = '', query = ''] = /^(https?:\/\/[^/?#\\{}\s]+)([^?#]*)(?:\?([^#]*))?$/i.exec(url) ?? [];
  if (!URL.canParse(origin)) return undefined;
  return { origin, path: path || '/', query: [...new URLSearchParams(query)] };
}
