/** A store's address as it may be printed: who comes in by it, and with which password, is left out. */
export function shownStore(address: string): string {
  const [scheme] = /^postgres(?:ql)?:\/\//.exec(address) ?? [];
  if (scheme === undefined) return address;
  if (!URL.canParse(address)) return `${scheme}…`;
  const { username, host, pathname } = new URL(address);
  return `${scheme}${username === '' ? '' : '…@'}${host}${pathname}`;
}
