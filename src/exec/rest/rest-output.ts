import { hasOwn, isObject } from '../../json/value.ts';
import { toolOutput } from '../tool-output.ts';
import type { Content } from './read-content.ts';
import type { RestResponse } from './rest-settings.ts';

/** What a tool gives back for a good answer. */
export function restOutput(content: Content, { at, pick }: RestResponse = {}, note: (text: string) => void): unknown {
  if (content.type === 'none') return undefined;
  if (content.type === 'picture') {
    const { mediaType, data } = content;
    return toolOutput({ content: [{ type: 'media', mediaType, source: { data } }] });
  }
  if (content.type === 'bytes')
    return `The answer is ${content.size} bytes ${content.mediaType}, which can't be shown.`;
  if (content.type === 'text') {
    if (at !== undefined || pick) note('The answer is given whole: it could not be read as JSON without loss.');
    return content.text;
  }
  const part = at === undefined ? content.value : pointed(content.value, at);
  if (part === undefined) {
    note(`The answer is given whole: there is nothing at ${at}.`);
    return content.value;
  }
  return pick ? picked(part, pick) : part;
}

/** What a JSON pointer leads to. */
function pointed(value: unknown, pointer: string): unknown {
  let here = value;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof here !== 'object' || here === null || !hasOwn(here, key)) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}

function picked(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => picked(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(names.filter((name) => hasOwn(value, name)).map((name) => [name, value[name]]));
}
