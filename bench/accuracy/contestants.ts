/** All contestants, in the order of the tables. */
import type { Peers } from '../install-peers.ts';
import type { PeerPackage } from '../peer-packages.ts';
import type { Contestant } from './contestant.ts';
import { aiSdk } from './contestants/ai-sdk.ts';
import { type Baml, baml } from './contestants/baml.ts';
import { type JsonRepair, repairAndAjv } from './contestants/jsonrepair.ts';
import { langchain } from './contestants/langchain.ts';
import { type Mastra, mastra } from './contestants/mastra.ts';
import { openaiAgents } from './contestants/openai-agents.ts';
import { toolmend } from './contestants/toolmend.ts';
import { type TypiaUtils, typia } from './contestants/typia.ts';
import type { ScriptedModel } from './scripted-model.ts';

/** The packages to install in the benchmark's own folder. */
export const wantedPeers: readonly PeerPackage[] = [
  'jsonrepair',
  '@typia/utils',
  '@boundaryml/baml',
  '@instructor-ai/instructor',
  '@mastra/core',
  'zod',
  '@ai-sdk-tool/parser',
  '@langchain/classic',
  '@langchain/core',
  'ai',
  'openai',
];

/** A contestant, or the reason why it is missing. */
export type Entry = Contestant | { readonly name: string; readonly missing: string };

/** Loads all. One that can't be loaded is reported and skipped. */
export async function contestants(model: ScriptedModel, { missing, load }: Peers): Promise<readonly Entry[]> {
  const peer = async (
    name: string,
    packages: readonly PeerPackage[],
    make: () => Promise<Contestant>,
  ): Promise<Entry> => {
    const why = packages.map((one) => missing[one]).find((reason) => reason !== undefined);
    if (why !== undefined) return { name, missing: why };
    return make().catch((error: unknown) => ({ name, missing: String(error).slice(0, 200) }));
  };
  const jsonrepair = async (): Promise<JsonRepair> => (await load<{ jsonrepair: JsonRepair }>('jsonrepair')).jsonrepair;
  return [
    toolmend(),
    toolmend('inferred'),
    await peer('jsonrepair + ajv', ['jsonrepair'], async () => repairAndAjv(await jsonrepair(), false)),
    await peer('jsonrepair + ajv (coercing)', ['jsonrepair'], async () => repairAndAjv(await jsonrepair(), true)),
    await peer('typia', ['@typia/utils'], async () => typia(await load<TypiaUtils>('@typia/utils'))),
    await peer('BAML', ['@boundaryml/baml'], async () => {
      // It reads the setting when it is loaded, and would log every response that it can't parse.
      process.env.BAML_LOG = 'off';
      return baml(await load<Baml>('@boundaryml/baml'));
    }),
    aiSdk(model),
    await peer('AI SDK + jsonrepair', ['jsonrepair'], async () => aiSdk(model, await jsonrepair())),
    langchain(model),
    await peer('Mastra', ['@mastra/core', 'zod'], async () => {
      process.env.MASTRA_TELEMETRY_DISABLED = '1';
      const { Agent } = await load<Pick<Mastra, 'Agent'>>('@mastra/core/agent');
      const { createTool } = await load<Pick<Mastra, 'createTool'>>('@mastra/core/tools');
      const { fromJSONSchema } = await load<Pick<Mastra, 'fromJSONSchema'>>('zod');
      return mastra(model, { Agent, createTool, fromJSONSchema });
    }),
    openaiAgents(model, false),
    openaiAgents(model, true),
  ];
}
