/** The first command, `npm start`: six damaged calls, mended or refused, with why. */
import { feedback } from '../call/feedback.ts';
import { mend } from '../call/mend.ts';
import { toolFromMcp } from '../tool/mcp.ts';
import { Toolbox } from '../tool/toolbox.ts';
import { colour } from './colour.ts';
import { showOutcome } from './show-outcome.ts';
import { tourCases, tourTools } from './start-cases.ts';

const paint = colour(process.stdout);
const width = Math.max(40, Math.min(process.stdout.columns || 80, 100));
const toolbox = new Toolbox(tourTools.map((definition) => toolFromMcp(definition, { trusted: true })));

let refused = 0;

const pages = tourCases.map(({ title, call, tries = 1 }, index) => {
  const outcome = mend(call, toolbox);
  if (outcome.status === 'invalid') refused++;
  const told = outcome.status === 'invalid' ? feedback(outcome, { tries, toolbox }).text : undefined;
  const name = call.name === outcome.name ? call.name : `${call.name} → ${outcome.name}`;
  const head = `${paint.bold(`${index + 1}. ${title}`)}\n${paint.cyan(name)}\n`;
  return `${head}${showOutcome({ ...outcome, before: call.arguments, feedback: told }, { paint, width })}`;
});

process.stdout.write(`
${paint.bold('Toolmend')}: what a model wrote, and what may run.

${pages.join(`\n${paint.dim('─'.repeat(width))}\n`)}
${paint.bold(`${tourCases.length - refused} mended, ${refused} refused`)}: every change is recorded, and nothing is run on a guess.
Try your own:  ${paint.cyan(`npm run -s toolmend -- mend "{path: 'a.ts',}"`)}
`);
