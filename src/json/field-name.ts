import type { Path } from './value.ts';

/** How a field is named to a model. */
export const fieldName = (path: Path): string => (path.length === 0 ? 'Root object' : `Field '${path.join('.')}'`);
