/**
 * Draws the output of `toolmend tour`: `node scripts/terminal-picture.ts > docs/images/start.svg`. Run it after the output
 * changed. `docs/get-started.md` shows the picture.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { columnsOf } from '../src/cli/terminal/layout.ts';

const lines = 58;
const cell = { width: 7.8, height: 17 };
const margin = 16;
const colours: Readonly<Record<string, string>> = {
  '1': 'font-weight="bold" fill="#f0f6fc"',
  '2': 'fill="#8b949e"',
  '31': 'fill="#ff7b72"',
  '32': 'fill="#56d364"',
  '33': 'fill="#e3b341"',
  '36': 'fill="#79c0ff"',
};

const main = join(import.meta.dirname, '../src/cli/main.ts');
const env = { ...process.env, NO_COLOR: undefined, FORCE_COLOR: '1' };
const { stdout } = spawnSync(process.execPath, [main, 'tour'], { encoding: 'utf8', env });
// Durations differ in each run, and the picture should not.
const shown = stdout
  .replaceAll(/, \d+ ms/g, '')
  .split('\n')
  .slice(0, lines);

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One line of the terminal: a text element for each colour, at its column. */
function drawn(line: string, row: number): string {
  let column = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  const pieces = line.split(/\u001b\[(\d+)m([^\u001b]*)\u001b\[0m/);
  return pieces
    .flatMap((text, index) => {
      if (index % 3 === 1 || text === '') return [];
      const look = index % 3 === 2 ? (colours[pieces[index - 1] ?? ''] ?? '') : '';
      // Browsers ignore spaces at both ends of a text element.
      const words = text.trim();
      const x = margin + (column + text.length - text.trimStart().length) * cell.width;
      const width = columnsOf(words) * cell.width;
      column += columnsOf(text);
      const y = margin + (row + 1) * cell.height;
      if (words === '') return [];
      return [`<text x="${x.toFixed(1)}" y="${y}" textLength="${width.toFixed(1)}" ${look}>${escaped(words)}</text>`];
    })
    .join('');
}

const width = Math.ceil(80 * cell.width + 2 * margin);
const height = (shown.length + 1) * cell.height + 2 * margin;
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>What npm start prints: damaged calls, what was mended, what the model is told, and what was allowed</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#c9d1d9" xml:space="preserve">
${shown.map(drawn).filter(Boolean).join('\n')}
</g>
</svg>
`);
