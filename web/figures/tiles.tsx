import type { Figures } from '../../src/inspect/api.ts';
import { counted, lasted, percent } from '../parts/words.ts';

/** The most important figures. */
export function Tiles({ figures }: { readonly figures: Figures }) {
  const { calls, runs, saved, own, spans } = figures;
  const sum = (outcome: 'mended' | 'invalid') => spans.reduce((total, span) => total + span[outcome], 0);
  const tiles: readonly (readonly [name: string, value: string, note: string])[] = [
    ['Calls', calls.toLocaleString('en'), `in ${counted(runs, 'run')}`],
    ['Mended', percent(sum('mended'), calls), `${counted(sum('mended'), 'call')} ran after repairs`],
    ['Refused', percent(sum('invalid'), calls), `${counted(sum('invalid'), 'call')} got feedback`],
    ['Retries saved', saved.toLocaleString('en'), 'requests to the model avoided'],
    own
      ? ['Added latency', lasted(own.median), `median; 95% under ${lasted(own.p95)}, most ${lasted(own.most)}`]
      : ['Added latency', '–', 'not measured for these runs'],
  ];
  return (
    <dl class="tiles">
      {tiles.map(([name, value, note]) => (
        <div key={name} class="card tile">
          <dt>{name}</dt>
          <dd class="tile-value">{value}</dd>
          <dd class="quiet">{note}</dd>
        </div>
      ))}
    </dl>
  );
}
