/** Every entrance there is. */
import { commandLine } from './command-line.ts';
import type { Entrance } from './entrance.ts';
import { invoking } from './invoking.ts';
import { library } from './library.ts';
import { loop } from './loop.ts';
import { proxies } from './proxy.ts';

export const entrances: readonly Entrance[] = [library, invoking, loop, ...proxies, commandLine];
