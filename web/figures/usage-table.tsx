import type { CallStatus, RunFilter, UsageStats } from '../../src/inspect/api.ts';
import { StatusIcon } from '../parts/status-icon.tsx';
import { percent } from '../parts/words.ts';
import { writeRoute } from '../route.ts';
import { outcomes, stacked, sumOf } from './outcomes.ts';

interface Props {
  readonly title: string;
  readonly thing: 'tool' | 'model';
  readonly all: readonly UsageStats[];
}

const most = 20;

/** Outcomes of tools or models: a bar and the numbers for each. */
export function UsageTable({ title, thing, all }: Props) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <div class="fared-box">
        <table class="fared">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">
                <span class="unseen">Outcomes</span>
              </th>
              <th scope="col" class="number">
                Good
              </th>
              {outcomes.map((outcome) => (
                <th key={outcome} scope="col" class="number">
                  <StatusIcon status={outcome} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {all.slice(0, most).map((one) => (
              <tr key={one.name}>
                <th scope="row" class="fared-name">
                  <a href={writeRoute({ view: 'runs', filter: { [thing]: one.name } })}>{one.name || 'no name'}</a>
                </th>
                <td class="fared-bar">
                  <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                    {stacked(one).map(({ outcome, from, to }) => (
                      <rect key={outcome} class={`fill-${outcome}`} {...span(from, to, sumOf(one))} height="10" />
                    ))}
                  </svg>
                </td>
                <td class="number">
                  <strong>{percent(one.ok + one.mended, sumOf(one))}</strong>
                </td>
                {outcomes.map((outcome) => (
                  <td key={outcome} class="number">
                    {one[outcome] > 0 ? (
                      <a href={writeRoute({ view: 'runs', filter: narrowed(thing, one.name, outcome) })}>
                        {one[outcome].toLocaleString('en')}
                      </a>
                    ) : (
                      0
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {all.length > most && (
        <p class="quiet">
          The {most} with the most calls, of {all.length}.
        </p>
      )}
    </section>
  );
}

const span = (from: number, to: number, all: number) => ({
  x: (100 * from) / (all || 1),
  width: (100 * (to - from)) / (all || 1),
});

const narrowed = (thing: 'tool' | 'model', name: string, outcome: CallStatus): RunFilter => ({
  [thing]: name,
  outcome,
});
