const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const length = 24;
/** Random bytes are generated in bulk, which is cheaper. */
const bytes = new Uint8Array(length * 64);
let used = bytes.length;

/** Creates a call id in a form that every provider accepts. */
export function makeId(prefix = 'call_'): string {
  if (used === bytes.length) {
    crypto.getRandomValues(bytes);
    used = 0;
  }
  let id = prefix;
  for (const end = used + length; used < end; used += 1) id += letters[(bytes[used] as number) % letters.length];
  return id;
}

/**
 * Creates ids for the calls of a history that has none, in order. A conversation gets the same ids in every request, so
 * that servers can reuse the prompts that they have read.
 */
export function orderedIds(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `call_${String(last).padStart(length, '0')}`;
  };
}
