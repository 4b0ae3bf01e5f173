import type { ToolSpec } from '../../src/model/index.ts';
import { JsonView } from './json-view.tsx';
import { emptyTree } from './mark-tree.ts';

/** The tool's schema as sent to the model. */
export function SchemaPanel({ schema }: { readonly schema: ToolSpec | undefined }) {
  if (!schema) return null;
  return (
    <details class="panel">
      <summary>
        <h2>The tool's schema</h2>
      </summary>
      {schema.description && <p>{schema.description}</p>}
      <div class="code-box json">
        <JsonView value={schema.schema} tree={emptyTree()} />
      </div>
    </details>
  );
}
