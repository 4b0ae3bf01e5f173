import { shown } from '../../provider/client/endpoint.ts';
import type { Format } from '../../turn/turn.ts';
import type { ServedWire } from '../wires-served.ts';
import type { Finding } from './finding.ts';
import type { ServerFacts } from './server-facts.ts';

const labels: Readonly<Record<ServerFacts['kind'], string>> = {
  ollama: 'Ollama',
  'llama.cpp': 'llama.cpp',
  vllm: 'vLLM',
  other: 'a server',
};

/** Who answers. */
export const serverFinding = ({ kind, evidence }: ServerFacts, root: URL): Finding => ({
  check: 'reachable',
  verdict: 'good',
  said: `${labels[kind]} at ${shown(root)} (${evidence})`,
});

/** Which wires are spoken, and whether anybody may. */
export function wiresFinding(served: readonly ServedWire[], asked: Format | undefined, keyed: boolean): Finding {
  const check = 'wires';
  if (served.length === 0) {
    const what = asked ?? 'any wire known here';
    const advice = 'Is the URL right? Give the root of the server, or its /v1; without --format every wire is tried.';
    return { check, verdict: 'bad', said: `nothing is served at the path of ${what}`, advice };
  }
  const names = served.map(({ format }) => format).join(', ');
  const closed = served.every(({ status }) => status === 401 || status === 403);
  if (!closed) return { check, verdict: 'good', said: names };
  const advice = keyed ? 'Check the key.' : 'Name the environment variable that holds the key: --key-env NAME.';
  return { check, verdict: 'bad', said: `${names}, and each answers ${served[0]?.status}`, advice };
}

/** Whether the model is among those that are listed. */
export function modelFinding({ kind, models }: ServerFacts, model: string): Finding | undefined {
  if (!models) return undefined;
  const check = 'model';
  if (models.includes(model) || models.includes(`${model}:latest`) || models.includes(`models/${model}`))
    return { check, verdict: 'good', said: `${model} is served` };
  const some = models.slice(0, 5).join(', ');
  const more = models.length > 5 ? ` and ${models.length - 5} more` : '';
  const said = `${model} is not among ${some}${more}`;
  if (kind === 'llama.cpp')
    return { check, verdict: 'fair', said, advice: 'llama-server answers under any name with the model it has.' };
  const advice = kind === 'ollama' ? `Run: ollama pull ${model}` : 'Serve it, or name one that is.';
  return { check, verdict: 'bad', said, advice };
}
