import type { Problem } from '../../src/index.ts';
import { LongText } from './long-text.tsx';
import { shortJson } from './short-json.ts';

/** Maximum number shown; parsing stops at fifty too. */
const most = 50;

/** Problems: where, what was expected, what was received, and what to send instead. */
export function ProblemList({ problems }: { readonly problems: readonly Problem[] }) {
  return (
    <ul class="problems">
      {problems.slice(0, most).map((problem, index) => (
        <li key={index} class="problem">
          <code class="problem-path">{pathWords(problem.path)}</code>
          <LongText text={String(problem.message ?? problem.code ?? '')} limit={400} class="problem-message" />
          <dl class="problem-facts">
            {problem.expected !== undefined && <Fact name="Expected" text={String(problem.expected)} />}
            {'received' in problem && <Fact name="Received" text={shortJson(problem.received, 200)} />}
            {problem.suggestion !== undefined && <Fact name="Suggestion" text={String(problem.suggestion)} />}
          </dl>
        </li>
      ))}
    </ul>
  );
}

const Fact = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </div>
);

/** A path such as `edits.0.path`; the root is `Root object`. */
export const pathWords = (path: Problem['path'] | undefined): string =>
  path && path.length > 0 ? path.join('.') : 'Root object';
