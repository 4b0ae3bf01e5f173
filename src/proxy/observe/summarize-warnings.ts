import { isObject } from '../../json/value.ts';
import type { TurnRequest } from '../../model/index.ts';
import type { Warning } from '../../provider/wire/types.ts';

/** What a warning is about, worst first. */
type Rank = 'tool' | 'content' | 'change' | 'setting' | 'harmless';
const ranks: readonly Rank[] = ['tool', 'content', 'change', 'setting', 'harmless'];

/** Fields that don't change what a model responds: caching, accounting, storage, and marks of other providers. */
const harmless: ReadonlySet<string> = new Set([
  'cache_control',
  'caller',
  'citations',
  'container',
  'context_management',
  'metadata',
  'betas',
  'service_tier',
  'speed',
  'store',
  'include',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'client_metadata',
  'user',
  'stream_options',
  'background',
  'id',
  'status',
  'phase',
  'item',
  'type',
  'role',
  'name',
  'annotations',
  'logprobs',
  'summary',
  'encrypted_content',
  'content',
  'display',
  'eager_input_streaming',
  'internal_chat_message_metadata_passthrough',
]);

interface Line {
  readonly rank: Rank;
  readonly text: string;
}

/**
 * The warnings of a translation for the log: tools by name, equal ones once with their number, worst first. What
 * doesn't change the response is one line at the end.
 *
 * @param request the translated request, which the paths of warnings refer to
 */
export function summarizeWarnings(warnings: readonly Warning[], request: TurnRequest): string[] {
  const counts = new Map<string, { readonly rank: Rank; count: number }>();
  const quiet = new Set<string>();
  for (const warning of warnings) {
    const { fields, lines } = linesOf(warning, request);
    for (const field of fields) quiet.add(field);
    for (const { rank, text } of lines) {
      const known = counts.get(text) ?? { rank, count: 0 };
      known.count += 1;
      counts.set(text, known);
    }
  }
  const told = [...counts]
    .sort(([, one], [, other]) => ranks.indexOf(one.rank) - ranks.indexOf(other.rank))
    .map(([text, { count }]) => times(text, count));
  if (quiet.size === 0) return told;
  return [...told, `not sent, without an effect on the response: ${[...quiet].join(', ')}`];
}

const times = (text: string, count: number): string => (count > 1 ? `${text} (${count} times)` : text);

function linesOf(
  { where, what }: Warning,
  request: TurnRequest,
): { readonly fields: string[]; readonly lines: Line[] } {
  const [first, at, ...rest] = where.split('.');
  if (rest.at(-1) === 'signature' || where === 'signature') return { fields: ['signature'], lines: [] };
  const tool = first === 'tools' ? request.tools?.[Number(at)] : undefined;
  const [reason = '', listed] = splitFields(what);
  if (listed) {
    const kept = listed.filter((field) => !harmless.has(field));
    const place = tool ? `tool ${quoted(toolName(tool))}` : plainPath(where.replace(/\.?passthrough$/, ''));
    const text = `${place === '' ? '' : `${place}: `}${reason}: ${kept.join(', ')}`;
    const lines: Line[] = kept.length > 0 ? [{ rank: tool ? 'change' : 'setting', text }] : [];
    return { fields: listed.filter((field) => harmless.has(field)), lines };
  }
  if (tool?.type === 'opaque')
    return { fields: [], lines: [{ rank: 'tool', text: `tool ${quoted(toolName(tool))}: ${what}` }] };
  if (tool)
    return {
      fields: [],
      lines: [
        {
          rank: 'change',
          text: [
            `tool ${quoted(toolName(tool))}`,
            ...(rest.length > 0 ? [` ${rest.join('.')}`] : []),
            `: ${what}`,
          ].join(''),
        },
      ],
    };
  if (first !== 'messages') return { fields: [], lines: [{ rank: 'setting', text: `${where}: ${what}` }] };
  const part = partAt(request, Number(at), rest);
  return { fields: [], lines: [{ rank: 'content', text: `${part ?? plainPath(where)}: ${what}` }] };
}

/** A reason and the fields that it lists. */
function splitFields(what: string): [string, string[]] | [string] {
  const listed = /^(Only supported by [\w-]+; left out): (.+)$/.exec(what);
  return listed ? [listed[1] ?? '', (listed[2] ?? '').split(', ')] : [what];
}

/** Name of a tool, or the type of a tool that its provider runs. */
function toolName(tool: NonNullable<TurnRequest['tools']>[number]): string {
  if (tool.type === 'function') return tool.name;
  const { value } = tool;
  if (!isObject(value)) return tool.format;
  const named = isObject(value.custom) ? value.custom.name : value.name;
  return String(named ?? value.type ?? Object.keys(value)[0] ?? tool.format);
}

/** The type of an item or block that only its own format has. */
function partAt(request: TurnRequest, at: number, [parts, place, ...more]: readonly string[]): string | undefined {
  const part = parts === 'parts' ? request.messages[at]?.parts[Number(place)] : undefined;
  if (part?.type !== 'opaque' || more.length > 0 || !isObject(part.value)) return undefined;
  const { type, part: inner } = part.value;
  const name = type ?? (isObject(inner) ? inner.type : undefined);
  return typeof name === 'string' ? `messages: ${name}` : undefined;
}

/** A path without its numbers, so that equal warnings have equal paths. */
const plainPath = (where: string): string => where.replace(/\.\d+(?=\.|$)/g, '');

const quoted = (name: string): string => `'${name}'`;
