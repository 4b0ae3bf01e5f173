/** `npm start`: a proxy with its inspector, for the embedded model. */
import { demo } from './demo/demo.ts';
import { processTerminal } from './terminal/terminal.ts';

process.exitCode = await demo(processTerminal());
