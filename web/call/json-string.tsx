import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { visibleJson } from '../../src/log/shown/visible.ts';

const first = 600;
const step = 50_000;

/** A JSON string with its line breaks. Long text is shortened and can be expanded. */
export function JsonString({ text }: { readonly text: string }) {
  const [shown, setShown] = useState(first);
  const left = text.length - shown;
  const lines = (left > 0 ? text.slice(0, shown) : text).split('\n');
  return (
    <span class="json-string">
      "
      {lines.map((line, index) => (
        <Fragment key={index}>
          {index > 0 && (
            <>
              <span class="json-escape">\n</span>
              {'\n'}
            </>
          )}
          {visibleJson(line).slice(1, -1)}
        </Fragment>
      ))}
      {left > 0 && (
        <button type="button" class="more" onClick={() => setShown(shown + step)}>
          … {left.toLocaleString('en')} more characters
        </button>
      )}
      "
    </span>
  );
}
