import { toolFromSpec } from '../../provider/fit/tool-from-spec.ts';
import type { Checked } from '../../schema/checked.ts';
import { schemaOf } from '../../schema/schema.ts';
import { isStandard, type StandardLike } from '../../schema/standard.ts';
import type { Tool } from '../../tool/tool.ts';
import { Toolbox } from '../../tool/toolbox.ts';
import type { ToolSpec } from '../../turn/turn.ts';
import { shownEffect } from '../shown-effect.ts';
import { toolWithSchema } from '../tool-with-schema.ts';

/** A toolbox, and what it was made of. */
interface Kept {
  readonly text: string;
  readonly checks: readonly unknown[];
  readonly toolbox: Toolbox;
}

const most = 100;
let kept: readonly Kept[] = [];

/**
 * The toolbox of the tools a model is shown. The same come with every question, their schemas written anew, so the last lists are
 * kept: by their text, and by the checks that came along.
 *
 * @param own schemas by the names of tools, where they are at hand
 */
export function shownToolbox(specs: readonly ToolSpec[], own: (name: string) => unknown): Toolbox {
  const effects = specs.map(({ schema }) => shownEffect(schema));
  const text = JSON.stringify([specs, effects]);
  const judges = specs.map(({ name, schema }) => [own(name), schema].find(isStandard));
  const checks = judges.map((one) => one?.['~standard'].validate);
  const known = kept.find((one) => one.text === text && one.checks.every((check, at) => check === checks[at]));
  if (known) return known.toolbox;
  // What a schema brings along beside its text is asked by its own way, and by no other.
  const [plain] = JSON.parse(text) as [ToolSpec[]];
  const tools = plain.map((spec, at) => ({ ...toolOf(spec, judges[at], own(spec.name)), ...effects[at] }));
  const toolbox = new Toolbox(tools, { definitions: 'given' });
  kept = [{ text, checks, toolbox }, ...kept.slice(0, most - 1)];
  return toolbox;
}

function toolOf(spec: ToolSpec, judge: StandardLike | undefined, given: unknown): Tool {
  if (!judge) return toolFromSpec(spec);
  return judge === given
    ? toolWithSchema(spec.name, spec.description ?? '', judge)
    : withCheck(toolFromSpec(spec), judge);
}

/**
 * A tool whose own check decides, and whose JSON Schema says what may be mended: what a schema does before it checks can't be
 * written as JSON Schema. Zod leaves its check in what it writes.
 */
function withCheck(tool: Tool, judge: StandardLike): Tool {
  const written = tool.schema;
  const own = schemaOf(judge);
  const check = (value: unknown): Checked => {
    try {
      return own.check(value);
    } catch {
      // It waits, and nobody can here: the SDK asks it again before the tool runs.
      return written.check(value);
    }
  };
  return { ...tool, schema: { kind: 'standard', json: written.json, check } };
}
