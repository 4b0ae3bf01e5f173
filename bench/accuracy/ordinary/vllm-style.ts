/** Calls in text as vLLM's parsers read them, reimplemented from their documented behaviour. */
import type { ToolRun } from '../contestant.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const callOf = (value: unknown): ToolRun => {
  if (!isRecord(value) || typeof value.name !== 'string') throw new Error('no call');
  return { name: value.name, input: value.arguments ?? value.parameters };
};

/** Hermes: everything between the tags, or after an opener that is not closed, is JSON. With one fault, everything is text. */
export function hermesCalls(text: string): ToolRun[] {
  const matches = [...text.matchAll(/<tool_call>([\s\S]*?)<\/tool_call>|<tool_call>([\s\S]*)/g)];
  return matches.map(([, closed, open]) => callOf(JSON.parse(closed ?? open ?? '')));
}

/** Llama 3 JSON: every balanced object of the text with a name and arguments or parameters. */
export function llamaJsonCalls(text: string): ToolRun[] {
  const calls: ToolRun[] = [];
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at)) {
    const end = endOfObject(text, at);
    const value = end === undefined ? undefined : parsed(text.slice(at, end));
    if (value === undefined || end === undefined) at += 1;
    else {
      if (isRecord(value) && 'name' in value && ('arguments' in value || 'parameters' in value))
        calls.push(callOf(value));
      at = end;
    }
  }
  return calls;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted && sign === '\\') at += 1;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && sign === '{') depth += 1;
    else if (!quoted && sign === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

const pythonCall = /(\w+)\(((?:\w+=(?:"[^"]*"|'[^']*'|[\w.-]+)(?:,\s*)?)*)\)/;

/** Pythonic: the complete response is a list of calls with literal arguments. */
export function pythonicCalls(text: string): ToolRun[] {
  const whole = new RegExp(`^\\[${pythonCall.source}(?:,\\s*${pythonCall.source})*\\]$`);
  if (!whole.test(text.trim())) return [];
  return [...text.matchAll(new RegExp(pythonCall, 'g'))].map(([, name = '', args = '']) => ({
    name,
    input: Object.fromEntries(
      [...args.matchAll(/(\w+)=("[^"]*"|'[^']*'|[\w.-]+)/g)].map(([, key, value = '']) => [key, literal(value)]),
    ),
  }));
}

const literal = (text: string): unknown =>
  /^["']/.test(text) ? text.slice(1, -1) : text === 'True' ? true : text === 'False' ? false : Number(text);
