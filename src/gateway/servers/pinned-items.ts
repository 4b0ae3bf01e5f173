import { definitionHash } from '../../execute/mcp/catalogue.ts';
import type { Reviewed } from '../config/pins.ts';

/** Something that a server lists or says, besides tools. */
export interface PinnedItem {
  readonly name: string;
  readonly definition: unknown;
}

/** An item that differs from the accepted one. */
export interface WaitingItem extends PinnedItem {
  readonly hash: string;
}

interface PinnedItemsOptions {
  readonly pinned: Reviewed;
  /** Whether items that were added later are accepted. */
  readonly acceptNew: boolean;
  /** Further items aren't pinned. */
  readonly limit?: number;
}

/**
 * The prompts, resources or instructions of a server. As for tools, those that are listed first are accepted, and
 * changed ones wait until the user accepts them.
 */
export class PinnedItems {
  readonly #options: PinnedItemsOptions;
  readonly #waiting = new Map<string, WaitingItem>();
  #pinned = 0;

  constructor(options: PinnedItemsOptions) {
    this.#options = options;
  }

  get waiting(): readonly WaitingItem[] {
    return [...this.#waiting.values()];
  }

  /** Returns the accepted items among those that are listed now. */
  take<T extends PinnedItem>(items: readonly T[]): T[] {
    const { pinned, acceptNew, limit = Number.POSITIVE_INFINITY } = this.#options;
    const takesNew = acceptNew || !pinned.begun;
    const added = new Map<string, WaitingItem>();
    const good = items.filter(({ name, definition }) => {
      const hash = hashOf(definition);
      if (hash === undefined) return false;
      const kept = pinned.hashOf(name) ?? added.get(name)?.hash;
      const isGood = kept === undefined ? takesNew : kept === hash;
      if (!isGood) this.#waiting.set(name, { name, definition, hash });
      else {
        this.#waiting.delete(name);
        if (kept === undefined && this.#pinned + added.size < limit) added.set(name, { name, definition, hash });
      }
      return isGood;
    });
    pinned.pin([...added.values()]);
    this.#pinned += added.size;
    return good;
  }

  /** Accepts exactly this item. */
  accept(item: WaitingItem): void {
    this.#options.pinned.pin([item]);
    this.#waiting.delete(item.name);
  }
}

/** Undefined for a definition that is nested too deeply to be compared. */
function hashOf(definition: unknown): string | undefined {
  try {
    return definitionHash(definition);
  } catch {
    return undefined;
  }
}
