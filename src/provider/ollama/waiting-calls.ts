import type { CallPart } from '../../turn/turn.ts';
import { makeId } from '../make-id.ts';

/** Calls whose results have not come, so that a result without an id finds its call. */
export class WaitingCalls {
  readonly #ids = new Set<string>();
  readonly #names = new Map<string, string[]>();

  /** A call waits; one without an id is given one. */
  add(call: CallPart): CallPart {
    const id = call.id || makeId();
    this.#ids.add(id);
    const sameName = this.#names.get(call.name);
    if (sameName) sameName.push(id);
    else this.#names.set(call.name, [id]);
    return id === call.id ? call : { ...call, id };
  }

  /** The call a result is of: the one it names, else the first of that tool, else the first of all. */
  take(id: string | undefined, name: string | undefined): string {
    const found = id ?? (name === undefined ? this.#first() : this.#next(name)) ?? makeId();
    this.#ids.delete(found);
    return found;
  }

  #first(): string | undefined {
    const [first] = this.#ids;
    return first;
  }

  #next(name: string): string | undefined {
    const ids = this.#names.get(name);
    while (ids && ids.length > 0) {
      const id = ids.shift();
      if (id !== undefined && this.#ids.has(id)) return id;
    }
    return undefined;
  }
}
