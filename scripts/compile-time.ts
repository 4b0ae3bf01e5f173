/** Measures what the types of many tools cost the compiler. `node scripts/compile-time.ts [TOOLS…]` prints a table. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** What the compiler reports about a program. */
export interface CompileCost {
  readonly errors: readonly string[];
  /** Types that were created from generic ones. Doesn't depend on the machine. */
  readonly instantiations: number;
  /** Seconds spent on checking. */
  readonly seconds: number;
}

/**
 * Compiles a program with many tools, half of them with Zod and half with JSON Schema, that narrows an outcome to each.
 *
 * @param compiler the folder of the compiler in `node_modules`
 */
export function compileCost(tools: number, compiler = 'typescript-7'): CompileCost {
  mkdirSync(join(root, '.bench'), { recursive: true });
  const folder = mkdtempSync(join(root, '.bench/tools-'));
  try {
    writeFileSync(join(folder, 'tools.ts'), programWith(tools));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }));
    const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
    const args = [tsc, '-p', folder, '--pretty', 'false', '--extendedDiagnostics'];
    const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    const figure = (label: string): number => Number(new RegExp(`^${label}:\\s*([\\d.]+)`, 'm').exec(stdout)?.[1]);
    return {
      errors: stdout.split('\n').filter((line) => line.includes('error TS')),
      instantiations: figure('Instantiations'),
      seconds: figure('Check time'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A program whose narrowed values have fields of their own, so that a type that isn't narrowed is an error. */
function programWith(tools: number): string {
  const places = Array.from({ length: tools }, (_, place) => place);
  const cases = places.map(
    (
      place,
    ) => `  case 'tool_${place}': console.log(outcome.value.limit${place} satisfies number | undefined, outcome.input.owner.id);
    break;`,
  );
  return `import { z } from 'zod';
import { mend } from '../../src/mend/mend.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
${places.map((place) => definitionOf(place, place % 2 === 0 ? zodSchema(place) : jsonSchema(place))).join('\n')}
const toolbox = new Toolbox([${places.map((place) => `tool${place}`).join(', ')}]);
const outcome = mend({ name: 'tool_1', arguments: '{}' }, toolbox);
if (outcome.status !== 'invalid') switch (outcome.name) {
${cases.join('\n')}
}
`;
}

const definitionOf = (place: number, schema: string): string =>
  `const tool${place} = tool({ name: 'tool_${place}', description: 'Reads', inputSchema: ${schema}, execute: ({ path }) => path.length });`;

const zodSchema = (place: number): string =>
  `z.object({ path: z.string(), limit${place}: z.number().optional(), owner: z.object({ id: z.string(), tags: z.array(z.string()) }) })`;

const jsonSchema = (place: number): string => `{
  type: 'object',
  properties: {
    path: { type: 'string' },
    limit${place}: { type: 'integer' },
    owner: { $ref: '#/$defs/Owner' },
    at: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], minItems: 2, items: false },
  },
  required: ['path', 'owner'],
  $defs: {
    Owner: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: { type: 'string' } },
  },
}`;

if (import.meta.main) {
  const counts = process.argv.slice(2).map(Number);
  for (const tools of counts.length ? counts : [1, 100, 200, 400]) {
    const { errors, instantiations, seconds } = compileCost(tools);
    console.log(
      `${String(tools).padStart(4)} tools  ${String(instantiations).padStart(8)} instantiations  ${seconds} s`,
    );
    for (const error of errors) console.log(error);
    if (errors.length > 0) process.exitCode = 1;
  }
}
