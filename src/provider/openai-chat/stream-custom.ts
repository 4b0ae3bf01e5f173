import { isObject, type JsonObject } from '../../json/value.ts';
import { makeId } from '../make-id.ts';
import type { TurnAssembly } from '../turn-assembly.ts';
import { format, isNumber, isString, isText } from './take.ts';

interface Custom {
  readonly id: string;
  name: string;
  readonly input: string[];
}

/** Calls of custom tools, whose input is free text: the middle shape passes them on whole. */
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
  }

  close(): void {
    for (const { id, name, input } of this.#byIndex.values()) {
      const value = { id, type: 'custom', custom: { name, input: input.join('') } };
      this.#assembly.add({ type: 'opaque', format, value });
    }
  }
}
