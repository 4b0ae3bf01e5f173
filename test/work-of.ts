/**
 * Counts what is looked at while something runs: characters, what searches pass over, what patterns match. Unlike time it
 * is the same on every machine, however busy.
 */
export function workOf(run: () => unknown): number {
  const { charCodeAt, indexOf, startsWith } = String.prototype;
  const { exec } = RegExp.prototype;
  let work = 0;
  String.prototype.charCodeAt = function (at) {
    work += 1;
    return charCodeAt.call(this, at);
  };
  String.prototype.startsWith = function (...given) {
    work += 1;
    return startsWith.apply(this, given);
  };
  String.prototype.indexOf = function (what, from = 0) {
    const found = indexOf.call(this, what, from);
    work += 1 + (found < 0 ? Math.max(0, this.length - from) : found - from);
    return found;
  };
  RegExp.prototype.exec = function (text) {
    const from = this.lastIndex;
    const found = exec.call(this, text);
    const passed = this.sticky ? 0 : (found?.index ?? text.length) - from;
    work += 1 + Math.max(0, passed) + (found?.[0].length ?? 0);
    return found;
  };
  try {
    run();
  } finally {
    Object.assign(String.prototype, { charCodeAt, indexOf, startsWith });
    Object.assign(RegExp.prototype, { exec });
  }
  return work;
}
