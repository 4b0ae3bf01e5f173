import type { Toolbox } from '../../tools/toolbox.ts';

const mark = '(?:\\*\\*|__)?';
const labelOf = (word: string): string => `${mark}${word}(?:${mark}:|:${mark})[ \\t]*`;

/** One call in labelled lines: labels may be bold, the name in brackets, and the arguments in parentheses behind it. */
const labelledCall = new RegExp(
  `^\\s*(?:${labelOf('Thought')}([^\\n]*(?:\\n(?!${labelOf('(?:Thought|Action|Action Input|Observation)')})[^\\n]*)*)\\n)?` +
    `${labelOf('Action')}(?:\\[([\\w.:-]{1,128})\\]|\`([\\w.:-]{1,128})\`|([\\w.:-]{1,128}))[ \\t]*` +
    `(?:\\r?\\n\\s{0,9}${labelOf('Action Input')}(\\{[\\s\\S]*\\})|\\((\\{[\\s\\S]*\\})\\))` +
    `\\s*(?:${labelOf('Observation')}\\s*)?$`,
);

/** A response of one call in labelled lines as ReAct spells it. Undefined if it is none, or is spelled like that already. */
export function plainLabels(text: string, toolbox: Toolbox | undefined): string | undefined {
  const [begun, thought, ...parts] = labelledCall.exec(text) ?? [];
  const [name, given] = parts.filter((part) => part !== undefined);
  if (begun === undefined || name === undefined || given === undefined || !toolbox?.has(name)) return undefined;
  const made = `${thought === undefined ? '' : `Thought: ${thought}\n`}Action: ${name}\nAction Input: ${given}`;
  return made === text.trim().replace(/\s*Observation:$/, '') ? undefined : made;
}
