/** Looking up names among many tools, adding many tools, and schemas that are sent again with every request. */
import { mend } from '../src/mend/mend.ts';
import { toolFromMcp } from '../src/tools/tool-from-mcp.ts';
import { Toolbox } from '../src/tools/toolbox.ts';
import { subjects } from '../test/damage/schemas.ts';
import { measure, quickest } from './measure.ts';
import { compiled } from './peers.ts';
import type { Result } from './result.ts';

const verbs = ['read', 'list', 'search', 'create', 'update', 'remove', 'fetch', 'export', 'archive', 'preview'];
const nouns = [
  'invoice',
  'customer',
  'calendar',
  'document',
  'message',
  'project',
  'account',
  'payment',
  'contract',
  'picture',
];
const places = [
  '',
  '_in_folder',
  '_by_owner',
  '_of_team',
  '_since',
  '_for_year',
  '_at_site',
  '_with_tag',
  '_via_mail',
  '_on_board',
];

const definitions = verbs.flatMap((verb, one) =>
  nouns.flatMap((noun, two) =>
    places.map((place, three) => ({
      name: `${verb}_${noun}${place}`,
      description: `Tool ${one}${two}${three}.`,
      inputSchema: {
        ...(subjects[(one + two + three) % subjects.length]?.inputSchema ?? {}),
        $comment: `${one}${two}${three}`,
      },
      annotations: { readOnlyHint: true },
    })),
  ),
);

const add = (mode: 'unchecked' | 'checked'): Toolbox =>
  new Toolbox(
    definitions.map((definition) => toolFromMcp(definition, { trusted: true })),
    { validate: mode === 'checked' },
  );

const misspelt: Readonly<Record<string, string>> = {
  'a letter missing': 'serch_customer_by_owner',
  'a letter wrong': 'fetch_cantract',
  'camel case': 'exportDocumentOfTeam',
  'a prefix': 'functions.archive_picture_with_tag',
  unknown: 'launch_rocket_to_moon',
};

const names = (): Result[] => {
  const box = add('unchecked');
  return Object.entries(misspelt).map(([name, spelling]) => {
    const call = { name: spelling, arguments: '{}' };
    const { ours = 0 } = measure({ ours: () => mend(call, box) }, { rounds: 5 });
    return { group: 'name', name: `among 1,000: ${name}`, ours, figure: ours, unit: 'µs', bar: { most: 100 } };
  });
};

const adding = (): Result[] =>
  (['unchecked', 'checked'] as const).map((mode) => {
    const ours = quickest(() => add(mode), 5);
    const sample = definitions.slice(0, 100);
    const peer =
      quickest(() => sample.map(({ inputSchema }) => compiled(inputSchema)), 2) * (definitions.length / sample.length);
    return {
      group: 'adding',
      name: `1,000 tools, ${mode}`,
      ours,
      peer,
      peerName: 'compiling with ajv',
      figure: peer / ours,
      unit: 'x faster',
      bar: { least: 5 },
      note: 'peer measured with 100 tools',
    };
  });

const anew = (): Result => {
  const [definition] = definitions;
  const request = JSON.stringify(definition);
  const call = { name: definition?.name ?? '', arguments: '{"file_path": "a.ts"}' };
  let count = 0;
  const ask = (text: string) =>
    mend(call, new Toolbox([toolFromMcp(JSON.parse(text), { trusted: true })], { validate: false }));
  const { ours = 0, peer = 0 } = measure(
    {
      ours: () => ask(request),
      peer: () => {
        count += 1;
        return ask(request.replace('"$comment":"000"', `"$comment":"new ${count}"`));
      },
    },
    { rounds: 5 },
  );
  return {
    group: 'cache',
    name: 'a schema parsed again for each request',
    ours,
    peer,
    peerName: 'a new schema',
    figure: peer / ours,
    unit: 'x faster',
    bar: { least: 5 },
  };
};

/** Every line about toolboxes. */
export const toolboxes = (): Result[] => [...names(), ...adding(), anew()];
