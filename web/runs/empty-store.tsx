import { Notice } from '../parts/notice.tsx';

/** What to do while nothing is recorded. */
export const EmptyStore = () => (
  <Notice title="Nothing has been recorded yet">
    <p>Calls appear here as they happen. To get started:</p>
    <ol class="steps">
      <li>
        Point a client at this proxy: set its base URL to <code>{`${location.origin}/v1`}</code>.
      </li>
      <li>
        Or run an agent with a store: <code>agent({'{ store: sqliteStore("runs.db"), … }'})</code>, then{' '}
        <code>npx toolmend inspect runs.db</code>.
      </li>
      <li>
        Or paste a call into <a href="#/try">Try it</a>. It needs no setup.
      </li>
    </ol>
  </Notice>
);
