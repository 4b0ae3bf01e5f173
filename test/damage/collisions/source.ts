import { pathToFileURL } from 'node:url';
import type { JsonValue } from '../../../src/json/value.ts';
import type { Template } from './template.ts';

/** The code under test: today's, an older commit's or a copy with one rule taken out. */
export interface Source {
  /** What came of a text: the value accepted, or undefined where it was refused. */
  read(template: Template, text: string): Reading | undefined;
}

export interface Reading {
  readonly value: JsonValue;
  readonly repairs: readonly string[];
  /** Whether no repair is inferred. */
  readonly lossless?: boolean;
}

/** Loads the library from a folder that holds `src/index.ts`. */
export const loadSource = async (folder: string): Promise<Source> => {
  const lib: typeof import('../../../src/index.ts') = await import(pathToFileURL(`${folder}/src/index.ts`).href);
  const { readCalls }: typeof import('../../../src/dialect/read-calls.ts') = await import(
    pathToFileURL(`${folder}/src/dialect/read-calls.ts`).href
  );
  const boxes = new Map<string, InstanceType<typeof lib.Toolbox>>();
  const boxOf = (template: Template): InstanceType<typeof lib.Toolbox> => {
    let box = boxes.get(template.name);
    if (box === undefined) {
      const { schema: input, effect } = template;
      const name = template.text?.tool ?? template.name;
      const description = `Template ${name}.`;
      // A source of before the rename, searched with --base, has the old names of the options.
      const older = { tool: { name, description, effect, input }, box: { definitions: 'given' } } as object as {
        tool: Parameters<typeof lib.tool>[0];
        box: { validate: false };
      };
      box = Object.hasOwn(lib, 'withMending')
        ? new lib.Toolbox([lib.tool({ name, description, effect, inputSchema: input })], { validate: false })
        : new lib.Toolbox([lib.tool(older.tool)], older.box);
      boxes.set(template.name, box);
    }
    return box;
  };
  return {
    read(template, text) {
      if (template.text !== undefined) {
        const { row, reading, tool } = template.text;
        const options = reading === 'named' ? { dialect: row.name } : { prompted: reading === 'prompted' };
        const calls = readCalls(text, boxOf(template), options).calls.filter(({ status }) => status !== 'invalid');
        if (calls.length === 0) return undefined;
        const inputs = calls.map(({ name, input }) => (name === tool ? input : { [String(name)]: input }) as JsonValue);
        const repairs = calls.flatMap((call) => call.repairs);
        return {
          value: inputs.length === 1 ? (inputs[0] as JsonValue) : inputs,
          repairs: repairs.map(({ kind }) => kind),
          lossless: repairs.every(({ certainty }) => certainty === 'lossless'),
        };
      }
      const outcome =
        template.way === 'call'
          ? lib.mend({ name: template.name, arguments: text }, boxOf(template))
          : lib.mendValue(text, template.schema);
      if (outcome.status === 'invalid') return undefined;
      return { value: outcome.input as JsonValue, repairs: outcome.repairs.map(({ kind }) => kind) };
    },
  };
};
