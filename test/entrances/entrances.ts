/** Every entrance there is. */
import { aiSdk } from './ai-sdk.ts';
import { commandLine } from './command-line.ts';
import type { Entrance } from './entrance.ts';
import { gateway } from './gateway.ts';
import { invoking } from './invoking.ts';
import { langchain } from './langchain.ts';
import { library } from './library.ts';
import { loop } from './loop.ts';
import { openaiAgents } from './openai-agents.ts';
import { proxies } from './proxy.ts';

export const entrances: readonly Entrance[] = [
  library,
  invoking,
  loop,
  ...proxies,
  commandLine,
  gateway,
  ...aiSdk,
  ...langchain,
  ...openaiAgents,
];
