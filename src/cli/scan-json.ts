/** Called at the end of each value with where it is (valid only during the call) and its span in the text. */
export type Visit = (path: readonly (string | number)[], start: number, end: number) => void;

const blank = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /true|false|null/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Goes once through JSON text and tells where each value stands. Returns the offset of the first fault, or undefined
 * for sound JSON. Depth costs no stack.
 */
export function scanJson(text: string, visit: Visit = () => {}): number | undefined {
  const path: (string | number)[] = [];
  const starts: number[] = [];
  let at = skip(text, 0);
  for (;;) {
    // A value begins here.
    const start = at;
    const opener = text[at];
    if (opener === '{' || opener === '[') {
      at = skip(text, at + 1);
      if (text[at] !== (opener === '{' ? '}' : ']')) {
        starts.push(start);
        path.push(0);
        if (opener === '[') continue;
        const next = key(text, at, path);
        if (next < 0) return ~next;
        at = next;
        continue;
      }
      at++;
    } else {
      const end = scalar(text, at);
      if (end < 0) return ~end;
      at = end;
    }
    visit(path, start, at);
    // A value has ended: close what ends with it, then go on to the next.
    for (;;) {
      at = skip(text, at);
      const step = path.at(-1);
      if (step === undefined) return at === text.length ? undefined : at;
      const isList = typeof step === 'number';
      if (text[at] === ',') {
        at = skip(text, at + 1);
        if (isList) path[path.length - 1] = step + 1;
        else {
          const next = key(text, at, path);
          if (next < 0) return ~next;
          at = next;
        }
        break;
      }
      if (text[at] !== (isList ? ']' : '}')) return at;
      at++;
      path.pop();
      visit(path, starts.pop() as number, at);
    }
  }
}

const skip = (text: string, at: number): number => match(blank, text, at);

function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : ~at;
}

/** Reads a key and its colon into the path's last step; gives the start of its value, or ~offset of a fault. */
function key(text: string, at: number, path: (string | number)[]): number {
  if (text[at] !== '"') return ~at;
  const end = string(text, at);
  if (end < 0) return end;
  path[path.length - 1] = JSON.parse(text.slice(at, end)) as string;
  const colon = skip(text, end);
  return text[colon] === ':' ? skip(text, colon + 1) : ~colon;
}

function scalar(text: string, at: number): number {
  const char = text[at];
  if (char === '"') return string(text, at);
  return match(char === 't' || char === 'f' || char === 'n' ? word : number, text, at);
}

function string(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return ~at;
    if (code !== 0x5c) continue;
    const end = match(escaped, text, at);
    if (end < 0) return end;
    at = end - 1;
  }
  return ~text.length;
}
