import { exampleOf } from '../../call/example-of.ts';
import { isObject } from '../../json/value.ts';
import type { Script } from '../../provider/scripted/script.ts';
import type { Question } from '../../turn/turn.ts';

const hello =
  'I am a script that plays a model. Send me tools, and I call the first of them badly; the proxy mends the call.';

/** A model to try the proxy with: it calls the first tool it is given, in the way models get wrong, and is then content. */
export const practiceScript: Script = ({ tools = [], messages }: Question) => {
  const [tool] = tools.filter((one) => one.type === 'function');
  const answered = messages.at(-1)?.parts.some(({ type }) => type === 'result');
  if (!tool) return hello;
  if (answered) return 'Thank you, that is what I wanted to know.';
  return { text: 'I look.', calls: [{ name: tool.name, arguments: badly(exampleOf(tool.schema ?? true)) }] };
};

/** An object as a model may write it: bare keys, single quotes, numbers in quotes, a comma too many. */
function badly(value: unknown): string {
  if (!isObject(value)) return '{}';
  const fields = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${word(one)},`);
  return `{${fields.join(' ')}}`;
}

function word(value: unknown): string {
  if (typeof value === 'number') return `"${value}"`;
  if (typeof value === 'string' && !/['"\\\n]/.test(value)) return `'${value.replace(/^<(.*)>/, '($1)')}'`;
  return JSON.stringify(value);
}
