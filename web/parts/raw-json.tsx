import { LongText } from './long-text.tsx';

/** Any value as text, whatever it is. */
export const RawJson = ({ value }: { readonly value: unknown }) => <LongText text={asText(value)} class="code-box" />;

/** JSON where there is any, else what the language says of it. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value, null, 2) ?? String(value);
  } catch (error) {
    return String(error);
  }
}
