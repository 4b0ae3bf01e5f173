const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A fresh id for a call that came without one, in the form every provider takes. */
export function makeId(prefix = 'call_'): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return prefix + Array.from(bytes, (byte) => letters[byte % letters.length]).join('');
}
