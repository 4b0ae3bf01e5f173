import { useState } from 'preact/hooks';
import { visibleJson } from '../../src/log/shown/visible.ts';
import { counted } from '../parts/words.ts';
import { JsonString } from './json-string.tsx';
import type { Mark } from './mark.ts';
import { allMarks, emptyTree, type MarkTree } from './mark-tree.ts';
import { Marked } from './marked.tsx';

interface Props {
  readonly value: unknown;
  readonly tree: MarkTree;
  readonly depth?: number;
  /** The key of the value. */
  readonly name?: string | undefined;
}

/** Initial number of entries and depth, because a value can have any size. */
const mostEntries = 60;
const openTo = 6;
const nothing = emptyTree();
const ofKey = (mark: Mark): boolean => mark.type === 'repair' && mark.repair.kind === 'key';

/** A value as JSON with marks, one entry per line. */
export function JsonView({ value, tree, depth = 0, name }: Props) {
  const [limit, setLimit] = useState(depth > openTo ? 0 : mostEntries);
  // Problems of the root are shown above it.
  const marks = depth === 0 ? [] : tree.here;
  const key = name !== undefined && (
    <>
      <Marked marks={marks.filter(ofKey)}>
        <span class="json-key">{visibleJson(name.length > 200 ? `${name.slice(0, 200)}…` : name)}</span>
      </Marked>
      {': '}
    </>
  );
  const own = marks.filter((mark) => !ofKey(mark));
  if (typeof value !== 'object' || value === null)
    return (
      <div class="json-line">
        {key}
        <Marked marks={[...own, ...(depth === 0 ? [] : [...tree.below.values()].flatMap(allMarks))]}>
          <Scalar value={value} />
        </Marked>
      </div>
    );
  const isList = Array.isArray(value);
  const entries: [string | number, unknown][] = isList ? [...value.entries()] : Object.entries(value);
  const missing = [...tree.below].filter(([step]) => !Object.hasOwn(value, step));
  const hidden = entries.length - limit;
  const [open, close] = isList ? '[]' : '{}';
  if (entries.length + missing.length === 0)
    return (
      <div class="json-line">
        {key}
        <Marked marks={own}>{`${open}${close}`}</Marked>
      </div>
    );
  return (
    <>
      <div class="json-line">
        {key}
        <Marked marks={own}>{open}</Marked>
      </div>
      <div class="json-inner">
        {entries.slice(0, Math.max(limit, 0)).map(([step, inner]) => (
          <JsonView
            key={step}
            value={inner}
            tree={tree.below.get(step) ?? nothing}
            depth={depth + 1}
            name={isList ? undefined : String(step)}
          />
        ))}
        {hidden > 0 && (
          <button type="button" class="more" onClick={() => setLimit(limit + mostEntries)}>
            Show {hidden > mostEntries ? `${mostEntries} of ` : ''}
            {counted(hidden, isList ? 'item' : 'field')}
          </button>
        )}
        {missing.map(([step, below]) => (
          <Missing key={step} step={step} marks={allMarks(below)} isList={isList} />
        ))}
      </div>
      <div class="json-line">{close}</div>
    </>
  );
}

/** A value that was removed or is missing. */
function Missing({ step, marks, isList }: { step: string | number; marks: readonly Mark[]; isList: boolean }) {
  const taken = marks.some(({ type }) => type === 'repair') && !marks.some(({ type }) => type === 'problem');
  return (
    <div class={`json-line json-${taken ? 'taken' : 'missing'}`}>
      {!isList && <span class="json-key">{JSON.stringify(String(step))}: </span>}
      <Marked marks={marks}>{taken ? 'taken out' : 'missing'}</Marked>
    </div>
  );
}

function Scalar({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <JsonString text={value} />;
  if (value === undefined) return <span class="quiet">nothing</span>;
  return <span class={`json-${value === null ? 'null' : typeof value}`}>{String(value)}</span>;
}
