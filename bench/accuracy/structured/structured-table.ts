import { mendValue } from '../../../src/mend/mend-value.ts';
import type { BenchBar, BenchTable } from '../../bench-result.ts';
import type { Peers } from '../../install-peers.ts';
import type { Contestant } from '../contestant.ts';
import { type Baml, baml } from '../contestants/baml.ts';
import { count, silentlyWrong } from '../count.ts';
import { type Judged, judged } from '../judged.ts';
import type { Case } from '../sample.ts';
import { familyTables, summaryTable } from '../tables.ts';
import { frameworks } from './frameworks.ts';
import { type InstructorParts, instructor } from './instructor.ts';
import { textModel } from './text-model.ts';

/** Structured output through each framework's own call. */
export interface StructuredResults {
  /** The summary, how each library was used, and the recovered share by kind of damage. */
  readonly tables: readonly [BenchTable, BenchTable, BenchTable];
  readonly bars: readonly BenchBar[];
  readonly missing: readonly string[];
  readonly packages: readonly string[];
}

/** `mendValue` on its own, without a framework. */
const ours: Contestant = {
  name: 'Toolmend',
  how: '`mendValue()` with its defaults',
  packages: [],
  answer(tools, { name, arguments: text, finishReason }) {
    const schema = tools.find((one) => one.name === name)?.inputSchema;
    const out = mendValue(text, schema, { ...(finishReason && { finishReason }) });
    return out.status === 'invalid' ? [] : [{ name, input: out.input }];
  },
};

/** Names of tools and wrappers of arguments mean nothing where a value is asked for. */
const callsOnly = new Set(['tool name', 'wrapped arguments']);
/** Empty text is a call without arguments, but no value. */
const isOutput = ({ family, tool, call }: Case): boolean =>
  !callsOnly.has(family) && call.name === tool.name && call.arguments.trim() !== '';

/** Sends the text of every damaged call as the response of a model, as structured output. */
export async function structuredTable(all: readonly Case[], { missing, load }: Peers): Promise<StructuredResults> {
  const cases = all.filter(isOutput);
  const model = await textModel();
  const left: string[] = [];
  const contestants = [ours, ...frameworks(model)];
  if (missing['@boundaryml/baml']) left.push(`BAML: ${missing['@boundaryml/baml']}`);
  else contestants.push(baml(await load<Baml>('@boundaryml/baml')));
  const why = missing['@instructor-ai/instructor'] ?? missing.openai ?? missing.zod;
  if (why) left.push(`instructor-js: ${why}`);
  else {
    const { default: createInstructor } = await load<{ default: InstructorParts['createInstructor'] }>(
      '@instructor-ai/instructor',
    );
    const { OpenAI } = await load<Pick<InstructorParts, 'OpenAI'>>('openai');
    const { fromJSONSchema } = await load<Pick<InstructorParts, 'fromJSONSchema'>>('zod');
    contestants.push(instructor(model, { createInstructor, OpenAI, fromJSONSchema }));
  }
  const results: Judged[] = [];
  for (const contestant of contestants) results.push(await judged(contestant, cases));
  await model.close();
  const mending = results.filter(({ contestant: { name } }) => name.includes('Toolmend'));
  const wrong = mending.map((one) => silentlyWrong(count(one, cases)));
  const [recovered] = familyTables(results, cases);
  return {
    tables: [
      { ...summaryTable(results, cases), title: `Structured output: ${cases.length} damaged texts` },
      {
        title: 'Structured output, used as',
        head: ['library', 'used as'],
        rows: results.map(({ contestant: { name, how } }) => [name, how]),
      },
      { ...(recovered as BenchTable), title: 'Structured output: recovered texts with one reading, by kind of damage' },
    ],
    bars: [
      {
        what: 'structured output, silently wrong with Toolmend and its adapters',
        figure: wrong.join(', '),
        bar: '0',
        met: wrong.every((some) => some === 0),
      },
    ],
    missing: left,
    packages: contestants.flatMap(({ packages }) => packages),
  };
}
