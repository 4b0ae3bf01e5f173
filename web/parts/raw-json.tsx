import { LongText } from './long-text.tsx';

/** Any value as text. */
export const RawJson = ({ value }: { readonly value: unknown }) => <LongText text={asText(value)} class="code-box" />;

/** A value as JSON if possible, otherwise as a string. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value, null, 2) ?? String(value);
  } catch (error) {
    return String(error);
  }
}
