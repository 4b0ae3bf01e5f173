import { aroundKinds } from '../../test/damage/damages-around.ts';
import { combinedKinds } from '../../test/damage/damages-combined.ts';
import { cutKinds } from '../../test/damage/damages-cut.ts';
import { goodKinds } from '../../test/damage/damages-good.ts';
import { keyKinds } from '../../test/damage/damages-keys.ts';
import { literalKinds } from '../../test/damage/damages-literals.ts';
import { nameKinds } from '../../test/damage/damages-names.ts';
import { punctuationKinds } from '../../test/damage/damages-punctuation.ts';
import { scalarKinds } from '../../test/damage/damages-scalars.ts';
import { shapeKinds } from '../../test/damage/damages-shapes.ts';
import { stringKinds } from '../../test/damage/damages-strings.ts';
import { unionKinds } from '../../test/damage/damages-unions.ts';
import { wholeKinds } from '../../test/damage/damages-whole.ts';
import type { Definition } from '../../test/damage/definition.ts';
import type { Kind } from '../../test/damage/kind.ts';
import { subjects } from '../../test/damage/schemas.ts';
import { trialsOf } from '../../test/damage/tally.ts';
import type { Trial } from '../../test/damage/trial.ts';
import type { WrittenCall } from './contestant.ts';
import { type Meant, readingsOf } from './verdict.ts';

/** The families of the damage table. */
const families: Readonly<Record<string, readonly Kind[]>> = {
  'nothing wrong': goodKinds,
  punctuation: punctuationKinds,
  'strings and escapes': stringKinds,
  'words and numbers': literalKinds,
  'surrounding text': aroundKinds,
  'cut off': cutKinds,
  'types of values': scalarKinds,
  'lists and objects': shapeKinds,
  unions: unionKinds,
  keys: keyKinds,
  'wrapped arguments': wholeKinds,
  'tool name': nameKinds,
  'several faults': combinedKinds,
};

/** One call that every contestant gets. */
export interface Case {
  readonly family: string;
  readonly kind: string;
  readonly tools: readonly Definition[];
  readonly tool: Definition;
  readonly call: WrittenCall;
  readonly meant: Meant;
}

/** The table sometimes marks a tool as destructive to test a guarantee that only we have. Not here. */
const asDefined = ({ kind, tool }: Trial): boolean => {
  const given = (kind.subjects ?? subjects).find((one) => one.name === tool.name)?.annotations;
  return given?.destructiveHint === tool.annotations?.destructiveHint;
};

const caseOf = (family: string, { kind, tools, tool, call, expected }: Trial): Case => {
  const { name, arguments: given, finishReason } = call;
  const text = typeof given === 'string' ? given : (JSON.stringify(given) ?? '');
  return {
    family,
    kind: kind.name,
    tools,
    tool,
    call: { name, arguments: text, ...(finishReason && { finishReason }) },
    meant: { name: tool.name, input: expected, readings: readingsOf(kind) },
  };
};

/** Trials of each kind on different tools, the same for every contestant (fixed seed). */
export const sample = (perKind: number, seed = 2026): Case[] =>
  Object.entries(families).flatMap(([family, kinds]) =>
    kinds.flatMap((kind) => {
      const trials = (tries: number): Trial[] => [...trialsOf(kind, { subjects, tries, seed })].filter(asDefined);
      // Some damages need values that not every seed makes.
      const once = trials(1);
      const all = once.length > 0 ? once : trials(16);
      const step = Math.max(1, Math.floor(all.length / perKind));
      return all
        .filter((_, at) => at % step === 0)
        .slice(0, perKind)
        .map((trial) => caseOf(family, trial));
    }),
  );
