/** The first command, `npm start`: a whole run on the embedded model. */
import { processTerminal } from './terminal.ts';
import { tour } from './tour/tour.ts';

process.exitCode = await tour(processTerminal());
