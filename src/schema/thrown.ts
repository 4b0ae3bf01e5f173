import type { Problem } from '../json/problem.ts';
import { describe } from './describe.ts';

/** A validator that threw has judged nothing; its words are all there is to tell. */
export const thrown = (error: unknown): Problem => {
  const want = error instanceof Error ? error.message : String(error);
  return describe({ path: [], code: 'other', want, received: undefined });
};
