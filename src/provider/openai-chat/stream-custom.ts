import { isObject, type JsonObject } from '../../json/value.ts';
import type { OpaquePart } from '../../turn/turn.ts';
import { makeId } from '../make-id.ts';
import type { Slot, TurnAssembly } from '../turn-assembly.ts';
import { format, isNumber, isString, isText } from './take.ts';

interface Custom {
  readonly id: string;
  name: string;
  readonly input: string[];
  slot?: Slot;
}

/** Calls of custom tools, whose input is free text: the middle shape passes them on whole, in the place where they began. */
export class StreamCustom {
  readonly #assembly: TurnAssembly;
  readonly #byIndex = new Map<number, Custom>();

  constructor(assembly: TurnAssembly) {
    this.#assembly = assembly;
  }

  get called(): boolean {
    return this.#byIndex.size > 0;
  }

  takes({ type, custom }: JsonObject): boolean {
    return type === 'custom' || isObject(custom);
  }

  take({ index, id, custom }: JsonObject): void {
    const at = isNumber(index) ? index : 0;
    const said = isObject(custom) ? custom : {};
    const call = this.#byIndex.get(at) ?? { id: isText(id) ? id : makeId(), name: '', input: [] };
    if (isText(said.name)) call.name = said.name;
    if (isString(said.input)) call.input.push(said.input);
    this.#byIndex.set(at, call);
    call.slot ??= this.#assembly.open(partOf(call));
  }

  close(): void {
    for (const call of this.#byIndex.values()) if (call.slot) this.#assembly.close(call.slot, partOf(call));
  }
}

const partOf = ({ id, name, input }: Custom): OpaquePart => ({
  ...{ type: 'opaque', format, value: { id, type: 'custom', custom: { name, input: input.join('') } } },
});
