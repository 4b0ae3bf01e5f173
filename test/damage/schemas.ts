/** Every tool of the table, with its valid calls. */
import type { Subject } from './definition.ts';
import { flatSubjects } from './schemas-flat.ts';
import { nestedSubjects } from './schemas-nested.ts';
import { unionSubjects } from './schemas-union.ts';

export const subjects: readonly Subject[] = [...flatSubjects, ...nestedSubjects, ...unionSubjects];
