/** The placeholder names in a text, in order. */
export const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);

/** Replaces each placeholder in a text. */
export const fill = (text: string, put: (name: string) => string): string =>
  text.replace(/\{([^{}]*)\}/g, (_, name: string) => put(name));

/** The placeholder name if the text is only one placeholder, so that its value keeps its type. */
export const onlyPlaceholder = (text: string): string | undefined => /^\{([^{}]+)\}$/.exec(text)?.[1];

/** The parts of a URL with placeholders. */
export interface UrlTemplate {
  readonly origin: string;
  readonly path: string;
  /** Templates of the URL's own query parameters. */
  readonly query: readonly (readonly [string, string])[];
}

/** Splits a URL template; undefined if it is invalid or its host contains a placeholder. */
export function urlTemplate(url: string): UrlTemplate | undefined {
  const [, origin = '', path = '', query = ''] = /^(https?:\/\/[^/?#\\{}\s]+)([^?#]*)(?:\?([^#]*))?$/i.exec(url) ?? [];
  if (!URL.canParse(origin)) return undefined;
  return { origin, path: path || '/', query: [...new URLSearchParams(query)] };
}
