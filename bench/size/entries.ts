import type { PeerPackage } from '../peer-packages.ts';

/** Code to weigh: what a program imports for the job. */
export interface SizeEntry {
  readonly name: string;
  readonly code: string;
  /** Where its packages are: in the benchmark's folder, or among the project's own. */
  readonly from: readonly PeerPackage[] | 'own';
}

const own = (name: string, code: string): SizeEntry => ({ name, code, from: 'own' });

/** Our entries, each alone, with all that it brings. */
export const ownEntries: readonly SizeEntry[] = [
  own('toolmend', "export * from './src/index.ts'"),
  own('toolmend/dialect', "export * from './src/dialect/index.ts'"),
  own('toolmend/provider', "export * from './src/provider/index.ts'"),
  own('toolmend/run', "export * from './src/run/index.ts'"),
  own('toolmend/mcp', "export * from './src/execute/mcp/index.ts'"),
  own('toolmend/ai-sdk, without the AI SDK', "export * from './src/adapter/ai-sdk/index.ts'"),
  own('toolmend/proxy', "export * from './src/proxy/index.ts'"),
  own('toolmend/gateway', "export * from './src/gateway/index.ts'"),
];

/** What reads a damaged call and checks it, beside ours; frameworks bring much else for it. */
export const callEntries: readonly SizeEntry[] = [
  own('Toolmend: mend, Toolbox, tool, feedback', "export { feedback, mend, Toolbox, tool } from './src/index.ts'"),
  {
    name: 'jsonrepair + ajv: repaired, then checked',
    code: "export { jsonrepair } from 'jsonrepair'; export { Ajv2020 } from 'ajv/dist/2020.js'",
    from: ['jsonrepair', 'ajv'],
  },
  {
    name: 'jsonrepair + Zod',
    code: "export { jsonrepair } from 'jsonrepair'; export { z } from 'zod'",
    from: ['jsonrepair', 'zod'],
  },
  { name: 'typia: LlmJson of @typia/utils', code: "export { LlmJson } from '@typia/utils'", from: ['@typia/utils'] },
  own('AI SDK: generateText, tool, jsonSchema', "export { generateText, jsonSchema, tool } from 'ai'"),
  own('LangChain: createAgent, tool', "export { createAgent, tool } from 'langchain'"),
  own('OpenAI Agents: Agent, Runner, tool', "export { Agent, Runner, tool } from '@openai/agents'"),
  {
    name: 'Mastra: Agent, createTool',
    code: "export { Agent } from '@mastra/core/agent'; export { createTool } from '@mastra/core/tools'",
    from: ['@mastra/core'],
  },
];

/** What reads JSON that is still coming. */
export const readerEntries: readonly SizeEntry[] = [
  own('Toolmend: JsonReader', "export { JsonReader } from './src/json/read-json.ts'"),
  { name: 'jsonriver', code: "export { parse } from 'jsonriver'", from: ['jsonriver'] },
  { name: '@streamparser/json', code: "export { JSONParser } from '@streamparser/json'", from: ['@streamparser/json'] },
  { name: 'partial-json', code: "export { parse } from 'partial-json'", from: ['partial-json'] },
  {
    name: 'best-effort-json-parser',
    code: "export { parse } from 'best-effort-json-parser'",
    from: ['best-effort-json-parser'],
  },
  { name: 'jsonrepair', code: "export { jsonrepair } from 'jsonrepair'", from: ['jsonrepair'] },
  own('AI SDK: parsePartialJson', "export { parsePartialJson } from 'ai'"),
  {
    name: 'LangChain: parsePartialJson',
    code: "export { parsePartialJson } from '@langchain/core/output_parsers'",
    from: ['@langchain/core'],
  },
];
