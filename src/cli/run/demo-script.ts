import { exampleOf } from '../../call/example-of.ts';
import type { Script, ScriptedTurn } from '../../provider/scripted/script.ts';
import type { Tool } from '../../tool/tool.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import type { Question } from '../../turn/turn.ts';

type Manner = Pick<ScriptedTurn, 'chunk' | 'pace'>;

const over = 'That is all a script can do. Set a key in the environment and choose a model to go on.';

/**
 * Plays a model for any tools: it calls one that reads, first without its arguments and then with made-up ones, written
 * as badly as models write. What may change something is never called with arguments that nobody meant.
 */
export function demoScript(toolbox: Toolbox, manner: Manner = {}): Script {
  const tool = toolbox.list().find(({ effect, schema }) => effect === 'read' && schema.json !== undefined);
  if (!tool)
    return () => ({ ...manner, text: `I am a script. I call only tools that read, and there is none here. ${over}` });
  return (question) => ({ ...manner, ...play(tool, resultsSoFar(question)) });
}

function play(tool: Tool, results: number): ScriptedTurn {
  if (results === 0) {
    return { text: `I try ${tool.name}.`, calls: [{ name: tool.name, arguments: '{}' }] };
  }
  if (results > 1) return { text: over };
  // A placeholder in angle brackets would be refused.
  const example = JSON.stringify(exampleOf(tool.schema.json ?? {})).replace(/"<([^"<>]*)>/g, '"($1)');
  const sloppy = `\`\`\`json\n${example.replace(/(.)\}$/, (all, last) => (last === '{' ? all : `${last},}`))}\n\`\`\``;
  return { text: 'Now with arguments, badly written.', calls: [{ name: tool.name, arguments: sloppy }] };
}

/** How many results came since a person last spoke. */
function resultsSoFar({ messages }: Question): number {
  const spoken = messages.findLastIndex(
    ({ role, parts }) => role === 'user' && parts.some(({ type }) => type === 'text'),
  );
  return messages.slice(spoken + 1).flatMap(({ parts }) => parts.filter(({ type }) => type === 'result')).length;
}
