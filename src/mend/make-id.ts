const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const length = 24;
/** Random bytes are drawn in bulk, because drawing costs more than using them. */
const bytes = new Uint8Array(length * 64);
let used = bytes.length;

/** A fresh id for a call without one, in the form that every provider accepts. */
export function makeId(prefix = 'call_'): string {
  if (used === bytes.length) {
    crypto.getRandomValues(bytes);
    used = 0;
  }
  let id = prefix;
  for (const end = used + length; used < end; used += 1) id += letters[(bytes[used] as number) % letters.length];
  return id;
}
