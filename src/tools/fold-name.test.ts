import { expect, it } from 'vitest';
import { foldName } from './name-index.ts';

it.each([
  ['todo_write', 'todowrite'],
  ['todoWrite', 'todowrite'],
  ['Todo-Write', 'todowrite'],
  [' todo.write ', 'todowrite'],
  ['todo__write', 'todowrite'],
  ['\u200btodo\ufeff_write', 'todowrite'],
  ['todo/write', 'todowrite'],
  ['step_2', 'step2'],
  ['2_steps', '2steps'],
  ['api_v1.0', 'apiv1_0'],
  ['api_v1__0', 'apiv1_0'],
  ['api_v10', 'apiv10'],
  ['_', ''],
  ['E\u0301tat', 'état'],
])('folds %j to %j', (name, folded) => {
  expect(foldName(name)).toBe(folded);
});
