import type { Figures } from '../../src/inspect/api.ts';
import { writeRoute } from '../route.ts';

/** How often each kind of repair was made. */
export function RepairBars({ repairs }: { readonly repairs: Figures['repairs'] }) {
  const most = Math.max(1, ...repairs.map(({ times }) => times));
  return (
    <section class="card">
      <h2>Repairs by kind</h2>
      {repairs.length === 0 && <p class="quiet">Nothing has needed a repair.</p>}
      <table class="bars">
        <thead class="unseen">
          <tr>
            <th scope="col">Repair</th>
            <th scope="col">Share</th>
            <th scope="col">Times</th>
          </tr>
        </thead>
        <tbody>
          {repairs
            .toSorted((a, b) => b.times - a.times)
            .map(({ kind, words, times }) => (
              <tr key={kind}>
                <th scope="row">
                  <a href={writeRoute({ view: 'runs', filter: { repair: kind } })}>{words}</a>
                </th>
                <td class="bars-bar">
                  <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                    <rect class="fill-mended" width={(100 * times) / most} height="10" />
                  </svg>
                </td>
                <td class="number">{times.toLocaleString('en')}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}
