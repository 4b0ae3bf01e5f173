import type { Repair, RepairKind } from '../../src/index.ts';
import { repairKinds } from '../../src/json/repair.ts';
import { pathWords } from '../parts/problem-list.tsx';
import { shortJson } from '../parts/short-json.ts';
import type { Mark } from './mark.ts';

/** The descriptions of marks. */
export const MarkNotes = ({ marks }: { readonly marks: readonly Mark[] }) => (
  <>
    {marks.map((mark, index) => (
      <div key={index} class="mark-note">
        {mark.type === 'repair' ? (
          <>
            <p>
              <strong>{sentence(mark.repair.kind)}</strong>
              <Certainty certainty={mark.repair.certainty} />
            </p>
            <Change repair={mark.repair} />
          </>
        ) : (
          <>
            <p>
              <strong>{mark.problem.message}</strong>
            </p>
            <p class="quiet">
              {pathWords(mark.problem.path)} · {mark.problem.code}
            </p>
          </>
        )}
      </div>
    ))}
  </>
);

/** Kinds that remove something. Others only interpret it differently. */
const takesOut: readonly RepairKind[] = [
  ...(['fence', 'prose', 'reasoning', 'token', 'comment', 'invisible', 'extra_closer'] as const),
  ...(['comma', 'duplicate', 'dropped', 'null'] as const),
];

/** The value before and after a repair. */
export function Change({ repair: { kind, before, ...rest } }: { readonly repair: Repair }) {
  const hasAfter = 'after' in rest;
  if ((before === undefined || before === '') && !hasAfter) return null;
  const text = shortJson(quoted(before), 160);
  return (
    <p class="change">
      {hasAfter || takesOut.includes(kind) ? <del>{text}</del> : text}
      {hasAfter && (
        <>
          <span aria-hidden="true"> → </span>
          <span class="unseen"> became </span>
          <ins>{shortJson(quoted(rest.after), 160)}</ins>
        </>
      )}
    </p>
  );
}

/** Quotes text, so that "5" differs from 5. */
const quoted = (value: unknown): unknown => (typeof value === 'string' ? JSON.stringify(value) : value);

export const Certainty = ({ certainty }: { readonly certainty: string }) => (
  <span class={`certainty certainty-${certainty}`} title={certaintyWords[certainty]}>
    {certainty}
  </span>
);

const certaintyWords: Readonly<Record<string, string>> = {
  lossless: 'Only one reading is possible',
  inferred: 'Only one reading fits the schema',
  guess: 'Other readings fit too, so it was not applied',
};

/** The description of a repair kind, capitalized. */
export function sentence(kind: RepairKind): string {
  const words = repairKinds[kind] ?? String(kind);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
