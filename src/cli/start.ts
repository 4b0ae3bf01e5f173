/** The first command, `npm start`: a proxy with its inspector, on the embedded model. */
import { start } from './start/start.ts';
import { processTerminal } from './terminal.ts';

process.exitCode = await start(processTerminal());
