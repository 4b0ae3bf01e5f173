import type { Part } from '../../src/model/index.ts';
import { LongText } from '../parts/long-text.tsx';
import { RawJson } from '../parts/raw-json.tsx';

/** A part of a message. Unknown parts are shown as JSON. */
export function PartView({ part }: { readonly part: Part }) {
  switch (part?.type) {
    case 'text':
      return <LongText text={String(part.text ?? '')} />;
    case 'refusal':
      return <LongText text={String(part.text ?? '')} class="prose problem-line" />;
    case 'reasoning':
      return (
        <details class="reasoning">
          <summary>{part.hidden ? 'Reasoning (hidden by the provider)' : 'Reasoning'}</summary>
          {part.text && <LongText text={part.text} class="prose reasoning-text" />}
        </details>
      );
    case 'media':
      // Media aren't loaded, because the page doesn't contact other hosts.
      return (
        <p class="entry-note">
          {part.mediaType} {part.name}
        </p>
      );
    case 'result':
      return (
        <div class="result">
          {part.content.map((inner, index) => (
            <PartView key={index} part={inner} />
          ))}
        </div>
      );
    default:
      return <RawJson value={part} />;
  }
}
