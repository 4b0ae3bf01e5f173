import { Notice } from '../parts/notice.tsx';

/** What to do while nothing is recorded. */
export const EmptyStore = () => (
  <Notice title="Nothing has been recorded yet">
    <p>What your models call appears here as it happens. To see something now:</p>
    <ol class="steps">
      <li>
        Point a client at this proxy: set its base URL to <code>{`${location.origin}/v1`}</code>.
      </li>
      <li>
        Or run an agent with a store: <code>agent({'{ store: sqliteStore("runs.db"), … }'})</code>, then{' '}
        <code>npx toolmend inspect runs.db</code>.
      </li>
      <li>
        Or mend a call by hand on <a href="#/try">Try it</a>, with nothing set up at all.
      </li>
    </ol>
  </Notice>
);
