import { useState } from 'preact/hooks';
import type { Repair } from '../../src/index.ts';
import { pathWords } from '../parts/problem-list.tsx';
import { Certainty, Change, sentence } from './mark-notes.tsx';

const most = 100;

/** All repairs with their certainty. */
export function RepairTable({ repairs }: { readonly repairs: readonly Repair[] }) {
  const [limit, setLimit] = useState(most);
  return (
    <div class="table-box">
      <table class="repairs">
        <thead>
          <tr>
            <th scope="col">Repair</th>
            <th scope="col">Where</th>
            <th scope="col">Change</th>
            <th scope="col">Certainty</th>
          </tr>
        </thead>
        <tbody>
          {repairs.slice(0, limit).map((repair, index) => (
            <tr key={index}>
              <td>{sentence(repair.kind)}</td>
              <td>
                <code>
                  {repair.kind === 'name' ? 'the name' : repair.path?.length ? pathWords(repair.path) : 'the whole'}
                </code>
              </td>
              <td>
                <Change repair={repair} />
              </td>
              <td>
                <Certainty certainty={repair.certainty} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {repairs.length > limit && (
        <button type="button" class="more" onClick={() => setLimit(limit + most)}>
          Show more of {repairs.length.toLocaleString('en')}
        </button>
      )}
    </div>
  );
}
