/** Mistakes in keys, in keys too many, and in wrappers around the arguments. */
import { isObject, type JsonObject, type JsonValue } from '../../../src/json/value.ts';
import { replaced } from '../places.ts';
import type { Random } from '../random.ts';
import { anyLayout, tokensOf, written } from '../tokens.ts';
import { writePython } from '../write-python.ts';
import { type Meant, type Mistake, places } from './mistake.ts';

const write = (value: JsonValue, random: Random): string => written(tokensOf(value, anyLayout(random)));

/** Changes the keys of one object. */
const rekeyed =
  (change: (key: string, random: Random, keys: readonly string[]) => string | undefined) =>
  (meant: Meant, random: Random): string | undefined => {
    const objects = places(meant).filter((place) => isObject(place.value) && Object.keys(place.value).length > 0);
    if (objects.length === 0) return undefined;
    const place = random.pick(objects);
    const object = place.value as JsonObject;
    const key = random.pick(Object.keys(object));
    const next = change(key, random, Object.keys(place.form.properties ?? {}));
    // A key that is declared, or written already, is another argument and no misspelling.
    if (next === undefined || next === key || Object.hasOwn(object, next)) return undefined;
    const renamed = Object.fromEntries(
      Object.entries(object).map(([name, value]) => [name === key ? next : name, value]),
    );
    return write(replaced(meant.value, place.path, renamed), random);
  };

/** Writes the text of the arguments in quotes, alone or as the value of a wrapper. */
const inQuotes =
  (quote: (json: string, random: Random) => string | undefined) =>
  ({ value, template }: Meant, random: Random): string | undefined => {
    const text = isObject(value) && template.way === 'call' ? quote(write(value, random), random) : undefined;
    return text !== undefined && random.chance(0.3) ? `{"arguments": ${text}}` : text;
  };

const letters = 'abcdefghijklmnoprstuw';
const typos: readonly ((key: string, random: Random) => string)[] = [
  (key, random) => {
    const at = random.between(1, key.length - 2);
    return key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
  },
  (key, random) => {
    const at = random.between(1, key.length - 1);
    return key.slice(0, at) + key.slice(at + 1);
  },
  (key, random) => {
    const at = random.between(1, key.length - 1);
    return key.slice(0, at) + key[at] + key.slice(at);
  },
  (key, random) => {
    const at = random.between(1, key.length - 1);
    return key.slice(0, at) + random.pick([...letters]) + key.slice(at + 1);
  },
];
const camel = (key: string): string => key.replace(/[_-](\w)/g, (_, char: string) => char.toUpperCase());

const added =
  (keys: Readonly<Record<string, JsonValue>>) =>
  (meant: Meant, random: Random): string | undefined => {
    if (!isObject(meant.value) || meant.template.way !== 'call') return undefined;
    const key = random.pick(Object.keys(keys));
    const declared = Object.keys(meant.template.json.properties ?? {});
    return declared.includes(key) ? undefined : write({ ...meant.value, [key]: keys[key] as JsonValue }, random);
  };
const wrapped =
  (wrap: (value: JsonValue, tool: string, random: Random) => JsonValue) =>
  (meant: Meant, random: Random): string | undefined =>
    meant.template.way === 'call' ? write(wrap(meant.value, meant.template.name, random), random) : undefined;

export const keyMistakes: readonly Mistake[] = [
  {
    name: 'a key in other letters',
    why: 'models follow the case of the language they write for',
    write: rekeyed((key, random) =>
      random.pick([
        camel(key),
        key.toUpperCase(),
        key.replaceAll('_', '-'),
        key.replaceAll('_', ''),
        key.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase(),
      ]),
    ),
  },
  {
    name: 'a key misspelt by one letter',
    why: 'quantised models drop, double, exchange and transpose letters',
    write: rekeyed((key, random, declared) => {
      if (key.length < 4) return undefined;
      const next = random.pick(typos)(key, random);
      return declared.includes(next) ? undefined : next;
    }),
  },
  {
    name: 'the opposite of a key',
    why: 'models name a flag as other tools do, the other way round',
    lost: true,
    write: rekeyed((key, _, declared) => {
      const [, verb, rest] = /^(is|can)_(.*)$/.exec(key) ?? [];
      if (verb === undefined || declared.includes(`in${rest}`)) return undefined;
      return verb === 'is' ? `${rest?.startsWith('l') ? 'il' : 'in'}${rest}` : `cant_${rest}`;
    }),
  },
  {
    name: 'a key with a word more or less',
    why: 'models name an argument as other tools do: file_path for path, name for first_name',
    write: rekeyed((key, random, declared) => {
      const parts = key.split('_');
      const next = random.pick([
        `${key}_value`,
        `the_${key}`,
        `${key}s`,
        `file_${key}`,
        ...(parts.length > 1 ? parts.filter((part) => part.length > 3) : []),
      ]);
      return key.length < 4 || declared.includes(next) ? undefined : next;
    }),
  },
  {
    name: 'a key that the tool does not have',
    why: 'models add a word of explanation',
    write: added({
      explanation: 'because it is needed',
      thought: 'I should do this',
      reasoning: 'The user asked',
      _id: 7,
    }),
  },
  {
    name: 'a key that would change what happens',
    why: 'the model asks for a trial; the tool would do it in earnest',
    lost: true,
    evenStrict: true,
    write: (meant, random) =>
      meant.template.effect === 'read' || meant.template.json.additionalProperties !== false
        ? undefined
        : added({
            dry_run: true,
            dryRun: true,
            preview: true,
            simulate: true,
            validate_only: true,
            no_overwrite: true,
            skip_hooks: true,
            confirm: false,
          })(meant, random),
  },
  {
    name: 'a wrapper around the arguments',
    why: 'models repeat the frame of the call they were shown',
    write: wrapped((value, _, random) => ({ [random.pick(['arguments', 'parameters', 'input', 'args'])]: value })),
  },
  {
    name: 'the whole call as arguments',
    why: 'the same with the name',
    write: wrapped((value, name, random) =>
      random.pick<JsonValue>([
        { name, arguments: value },
        { name, parameters: value },
        { function: { name, arguments: value } },
        { [name]: value },
      ]),
    ),
  },
  {
    name: 'the call of another tool',
    why: 'models put a second call into the arguments of the first',
    lost: true,
    write: wrapped((value, _, random) => ({
      name: random.pick(['delete_user', 'read_other', 'preview']),
      arguments: value,
    })),
  },
  { name: 'a list of one call', why: 'models list calls', write: wrapped((value) => [value]) },
  { name: 'the arguments as a string', why: 'encoded twice', write: wrapped((value) => JSON.stringify(value)) },
  {
    name: 'the arguments in quotes, as they stand',
    why: "models copy the body of a command (curl -d '…') or quote JSON in Markdown; nothing in it is escaped for that",
    write: inQuotes((json, random) => {
      const quote = random.pick(["'", '`', "'''", '"""']);
      return json.includes(quote) || quote.endsWith(json.at(-1) as string) ? undefined : quote + json + quote;
    }),
  },
  {
    name: 'the arguments in apostrophes, the apostrophes escaped',
    why: 'the same, with the one character escaped that would end it',
    write: inQuotes((json) => (json.includes("'") ? `'${json.replaceAll("'", "\\'")}'` : undefined)),
  },
  {
    name: 'the arguments as a literal of Python or JavaScript',
    why: 'models write the string of JSON that a program would hold, with its backslashes escaped once more',
    write: inQuotes((json, random) => {
      const python = writePython(json);
      return python.startsWith("'")
        ? random.pick([python, `\`${json.replace(/[\\`]|\$\{/g, '\\$&')}\``, python.replaceAll('"', '\\"')])
        : undefined;
    }),
  },
  {
    name: 'two sets of arguments',
    why: 'two calls in one',
    lost: true,
    write: ({ value, template }, random) => {
      if (!isObject(value) || template.way !== 'call') return undefined;
      const key = Object.keys(value).find((name) => typeof value[name] === 'string');
      if (key === undefined) return undefined;
      const other = { ...value, [key]: `${value[key]}2` };
      return random.pick([
        `[${JSON.stringify(value)}, ${JSON.stringify(other)}]`,
        `${JSON.stringify(value)}\n${JSON.stringify(other)}`,
        `${JSON.stringify(value)}${JSON.stringify(other)}`,
      ]);
    },
  },
];
