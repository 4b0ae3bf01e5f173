/** The packages we compare with, each in the newest version at the last update. */
export const peerPackages = {
  '@ai-sdk-tool/parser': '4.1.26',
  '@anthropic-ai/sdk': '1.8.0',
  '@boundaryml/baml': '0.226.2',
  '@instructor-ai/instructor': '1.7.0',
  '@langchain/classic': '1.0.50',
  '@langchain/core': '1.2.13',
  '@mastra/core': '1.71.0',
  '@streamparser/json': '0.0.26',
  '@typia/utils': '14.0.6',
  ai: '7.0.169',
  ajv: '8.20.0',
  'best-effort-json-parser': '1.5.1',
  'gpt-tokenizer': '4.0.0',
  jsonrepair: '3.15.0',
  jsonriver: '1.1.1',
  openai: '7.53.0',
  'partial-json': '0.1.7',
  zod: '4.6.7',
} as const satisfies Readonly<Record<string, string>>;

export type PeerPackage = keyof typeof peerPackages;
