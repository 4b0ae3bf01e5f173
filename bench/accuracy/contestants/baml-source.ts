import type { JsonSchema, SchemaObject } from '../../../src/schema/types.ts';
import { joined } from '../joined.ts';
import { Untranslatable } from '../untranslatable.ts';

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'null',
};

/** The name of the function that returns a tool's input. */
export const bamlFunction = 'ReadInput';

const mark = 'member_';
/** A member's name in a class. Keywords can't be names, so each name gets a prefix, and its own name as an alias. */
const fieldOf = (key: string): string => {
  if (!/^\w+$/.test(key)) throw new Untranslatable('a key that is no name');
  return mark + key;
};
/** The member that a name in a class refers to. The keys of maps have no prefix. */
export const memberOf = (field: string): string => (field.startsWith(mark) ? field.slice(mark.length) : field);

/** Writes a tool's schema in BAML: a class for each object, literals for constants, a function that returns the input. */
export function bamlSource(schema: SchemaObject): string {
  const made: string[] = [];
  const named = (name: string, one: SchemaObject): string => {
    const { properties = {}, required = [] } = one.allOf ? joined(one) : one;
    // Reserves the position of the class, because the classes of its members come first.
    const at = made.push('') - 1;
    const fields = Object.entries(properties).map(
      ([key, member]) =>
        `  ${fieldOf(key)} (${typeOf(member, `${name}_${key}`)})${required.includes(key) ? '' : '?'} @alias("${key}")`,
    );
    made[at] = `class ${name} {\n${fields.join('\n')}\n}`;
    return name;
  };
  const typeOf = (one: JsonSchema, name: string): string => {
    if (typeof one === 'boolean') throw new Untranslatable('a boolean as a schema');
    if (one.$ref) return `Def_${one.$ref.split('/').at(-1)}`;
    if (one.prefixItems || Array.isArray(one.items)) throw new Untranslatable('a tuple');
    const forms = one.anyOf ?? one.oneOf;
    if (forms) return forms.map((form, index) => typeOf(form, `${name}_${index}`)).join(' | ');
    const values = one.const === undefined ? one.enum : [one.const];
    if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
    if (Array.isArray(one.type)) return one.type.map((type) => typeOf({ ...one, type }, name)).join(' | ');
    if (one.type === 'array') return `(${typeOf(one.items ?? {}, `${name}_item`)})[]`;
    if (one.type !== 'object') return scalarOf(one.type);
    return isMap(one) ? `map<string, ${typeOf(one.additionalProperties ?? {}, `${name}_value`)}>` : named(name, one);
  };
  for (const [name, one] of Object.entries(schema.$defs ?? {})) {
    const type = typeOf(one, `Def_${name}`);
    if (type !== `Def_${name}`) made.push(`type Def_${name} = ${type}`);
  }
  const whole = named('Input', schema);
  const client = 'client<llm> Nobody {\n  provider openai\n  options {\n    model "none"\n    api_key "none"\n  }\n}';
  const asked = `function ${bamlFunction}(text: string) -> ${whole} {\n  client Nobody\n  prompt #"{{ text }} {{ ctx.output_format }}"#\n}`;
  return [client, ...made, asked].join('\n\n');
}

const isMap = ({ properties, additionalProperties }: SchemaObject): boolean =>
  properties === undefined && typeof additionalProperties === 'object';

function scalarOf(type: string | undefined): string {
  const name = scalars[type ?? ''];
  if (!name) throw new Untranslatable('a value of any type');
  return name;
}
