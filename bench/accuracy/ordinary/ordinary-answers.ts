/** Responses that make no call, although they mention, quote, explain or refuse some. A runtime must leave them unchanged. */
import { readdirSync, readFileSync } from 'node:fs';
import { type ToolboxName, toolboxes } from './toolboxes.ts';

/** A message before a response. */
export interface EarlierMessage {
  readonly role: 'user' | 'tool';
  readonly content: string;
}

export interface OrdinaryAnswer {
  readonly id: string;
  /** The file that contains it: documentation, refusals, injections … */
  readonly kind: string;
  readonly toolbox: ToolboxName;
  readonly context: readonly EarlierMessage[];
  readonly text: string;
}

const folder = new URL('.', import.meta.url);

/**
 * Reads one file of answers. `%%% ID TOOLBOX` begins an answer; `%%user` and `%%tool` begin a message before it, and
 * `%%answer` then the answer itself. Everything else is text as a model wrote it.
 */
export function readAnswers(kind: string, file: string): OrdinaryAnswer[] {
  return file
    .split(/^%%% /m)
    .slice(1)
    .map((section) => {
      const [head = '', ...lines] = section.replace(/\n$/, '').split('\n');
      const [id = '', toolbox = ''] = head.split(' ');
      if (!(toolbox in toolboxes)) throw new Error(`${kind}: ${id} names no toolbox: '${toolbox}'`);
      const parts = lines.join('\n').split(/^%%(user|tool|answer)\n/m);
      const context: EarlierMessage[] = [];
      let text = parts[0] ?? '';
      for (let at = 1; at < parts.length; at += 2) {
        const content = parts[at + 1] ?? '';
        if (parts[at] === 'answer') text = content;
        else context.push({ role: parts[at] as EarlierMessage['role'], content: content.replace(/\n$/, '') });
      }
      return { id, kind, toolbox: toolbox as ToolboxName, context, text };
    });
}

/** All of them, in the order of their files. */
export const ordinaryAnswers: readonly OrdinaryAnswer[] = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .sort()
  .flatMap((name) => readAnswers(name.replace('.txt', ''), readFileSync(new URL(name, folder), 'utf8')));
