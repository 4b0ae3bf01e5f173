import { parseArgs } from 'node:util';
import { services } from '../provider/client/services.ts';
import { examine } from '../proxy/doctor/examine.ts';
import type { Check, Finding } from '../proxy/doctor/finding.ts';
import { checks } from '../proxy/doctor/finding.ts';
import { rootOf } from '../proxy/doctor/patient.ts';
import type { Format } from '../turn/turn.ts';
import { colour } from './colour.ts';
import { doctorHelp, formats } from './doctor-help.ts';
import { LiveLines } from './run/live-lines.ts';
import { showDiagnosis, showFinding } from './show-diagnosis.ts';
import { canRedraw, processTerminal, type Terminal, widthOf } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** `toolmend doctor`: looks at a server of models, and says what keeps its calls from working. */
export async function doctorCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      upstream: { type: 'string' },
      model: { type: 'string' },
      format: { type: 'string' },
      'key-env': { type: 'string' },
      timeout: { type: 'string' },
      'max-tokens': { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { output, env } = terminal;
  if (values.help) {
    output.write(doctorHelp);
    return 0;
  }
  const { upstream, model } = values;
  if (upstream === undefined) throw new UsageError('which server? Usage: toolmend doctor --upstream URL --model NAME');
  if (model === undefined) throw new UsageError('which model? Name it with --model');
  const root = rootOf(upstream);
  if (!root) throw new UsageError('--upstream is no address: write it as http://host:port, without a password');
  const seconds = numberOf(values.timeout, 60, '--timeout');
  const paint = colour(output, env);
  const width = output.isTTY ? widthOf(output, 120) : undefined;
  const live = new LiveLines((text) => output.write(text), values.json !== true && canRedraw(output, env));
  const diagnosis = await examine({
    ...{ root, model, patience: seconds * 1000, maxTokens: numberOf(values['max-tokens'], 1024, '--max-tokens') },
    apiKey: keyOf(values['key-env'], root, env),
    format: formatOf(values.format),
    signal: AbortSignal.timeout(12 * seconds * 1000),
    onCheck: (check: Check) => live.draw([`… ${checks[check]}`]),
    onFinding: (finding: Finding) => {
      live.clear();
      if (values.json !== true) output.write(showFinding(finding, paint, width));
    },
  });
  live.clear();
  output.write(values.json ? `${JSON.stringify(diagnosis, null, 2)}\n` : showDiagnosis(diagnosis, paint, width));
  return diagnosis.calls === 'none' ? 1 : 0;
}

function numberOf(given: string | undefined, otherwise: number, name: string): number {
  if (given === undefined) return otherwise;
  const number = Number(given);
  if (!Number.isInteger(number) || number < 1 || number > 100_000)
    throw new UsageError(`${name} is a whole number from 1 to 100000`);
  return number;
}

/** The key in the variable that was named; without one, a provider's own key goes to that provider's own address. */
function keyOf(name: string | undefined, root: URL, env: NodeJS.ProcessEnv): string | undefined {
  if (name !== undefined) {
    const key = env[name]?.trim();
    if (!key) throw new UsageError(`${name} is not set, or empty`);
    return key;
  }
  const home = Object.values(services).find(({ base, needsKey }) => needsKey && new URL(base).origin === root.origin);
  return home?.keyVariables.map((variable) => env[variable]?.trim()).find((key) => key);
}

function formatOf(name: string | undefined): Format | undefined {
  if (name === undefined) return undefined;
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (!format) throw new UsageError(`there is no format '${name}'; there are: ${Object.keys(formats).join(', ')}`);
  return format;
}
