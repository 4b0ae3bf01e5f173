import { Toolbox } from '../src/tools/toolbox.ts';
import { fastEditorTool } from './fast-editor.ts';
import { type Fetch, fetchWebpageTool } from './fetch-webpage.ts';
import { fsMultiEditTool } from './fs-multi-edit.ts';
import { multiReplaceStringInFileTool } from './multi-replace-string-in-file.ts';
import { patternSearchTool } from './pattern-search.ts';
import { readFileTool } from './read-file.ts';

/** All example tools, for tests, docs and demos. They access nothing outside `root`. */
export const exampleToolbox = (settings: { root: string; fetch?: Fetch }): Toolbox =>
  new Toolbox([
    readFileTool(settings),
    patternSearchTool(settings),
    multiReplaceStringInFileTool(settings),
    fsMultiEditTool(settings),
    fastEditorTool(settings),
    fetchWebpageTool({ fetch: settings.fetch ?? fetch }),
  ]);
