import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunFilter } from '../../src/inspect/api.ts';
import { repairKinds } from '../../src/json/repair.ts';
import { endLabels } from '../parts/end-badge.tsx';
import { statuses } from '../parts/statuses.ts';
import { narrowing } from '../route.ts';
import { useKeys } from '../shell/use-keys.ts';
import { goTo } from '../use-route.ts';
import type { Runs } from './use-runs.ts';

type Key = 'outcome' | 'end' | 'tool' | 'model' | 'repair';
type Choices = readonly (readonly [value: string, label: string])[];

/** The filter of the list. It is in the URL, so that it can be bookmarked and shared. */
export function FilterBar({ filter, facets }: { readonly filter: RunFilter; readonly facets: Runs['facets'] }) {
  const search = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(filter.text ?? '');
  const sent = useRef(text);
  const set = (change: Partial<Record<Key | 'text', string>>) =>
    goTo({ view: 'runs', filter: { ...filter, ...change } as RunFilter }, { quietly: true });
  useKeys({ '/': () => search.current?.focus() });
  useEffect(() => {
    if (text === (filter.text ?? '')) return;
    const timer = setTimeout(() => {
      sent.current = text;
      set({ text });
    }, 200);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    // Text that wasn't typed here comes from the URL: a link, or a step back.
    if ((filter.text ?? '') !== sent.current) setText(filter.text ?? '');
    sent.current = filter.text ?? '';
  }, [filter.text]);
  const same = (values: readonly string[]): Choices => values.toSorted().map((value) => [value, value]);
  const selects: readonly (readonly [key: Key, label: string, choices: Choices])[] = [
    ['outcome', 'Outcome', Object.entries(statuses).map(([value, { label }]) => [value, label])],
    ['end', 'End', Object.entries(endLabels)],
    ['tool', 'Tool', same(facets.tools)],
    ['model', 'Model', same(facets.models)],
    ['repair', 'Repair', facets.repairs.toSorted().map((kind) => [kind, `${kind}: ${repairKinds[kind] ?? ''}`])],
  ];
  const clear = () => {
    setText('');
    goTo({ view: 'runs', filter: {} }, { quietly: true });
  };
  return (
    <search class="filter-bar">
      <div class="search">
        <input
          ref={search}
          type="search"
          aria-label="Search prompts, responses and calls"
          placeholder="Search   /"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {selects.map(([key, label, choices]) => (
        <select
          key={key}
          class={filter[key] ? 'is-set' : ''}
          aria-label={label}
          value={filter[key] ?? ''}
          onChange={(event) => set({ [key]: event.currentTarget.value })}
        >
          <option value="">{`${label}: any`}</option>
          {withChosen(choices, filter[key]).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      ))}
      {narrowing(filter).length > 0 && (
        <button type="button" class="button button-quiet" onClick={clear}>
          Clear
        </button>
      )}
    </search>
  );
}

/** Adds the selected value if the server doesn't know it. */
const withChosen = (choices: Choices, chosen: string | undefined): Choices =>
  !chosen || choices.some(([value]) => value === chosen) ? choices : [...choices, [chosen, chosen]];
