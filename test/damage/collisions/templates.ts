import type { Template } from './template.ts';
import { listTemplates } from './templates-lists.ts';
import { textTemplates } from './templates-text.ts';
import { typedTemplates } from './templates-typed.ts';

/** What the search writes for: tools and structured outputs, each with families of arguments that are close to each other. */
export const templates: readonly Template[] = [...textTemplates, ...typedTemplates, ...listTemplates];
