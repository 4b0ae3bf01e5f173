import type { Fault } from '../tool/configuration-validation-error.ts';
import { type Colours, harmless } from './colour.ts';
import type { Position } from './locate.ts';
import { wrap } from './wrap.ts';

/** A fault of a definition with where it stands. */
export interface PlacedFault extends Position, Fault {
  readonly file: string;
  readonly tool: string;
}

/**
 * The faults as people read them. Without a width each is one line, for a pipe; with one, a head and its sentences
 * below, wrapped.
 */
export function showFaults(faults: readonly PlacedFault[], count: number, paint: Colours, width?: number): string {
  const shown = faults.map((fault) => (width === undefined ? inLine(fault, paint) : inBlock(fault, paint, width)));
  const tools = counted(count, 'tool');
  const total =
    faults.length === 0
      ? paint.green(`${tools}, no faults`)
      : paint.red(`${tools}, ${counted(faults.length, 'fault')}`);
  return [...shown, total, ''].join('\n');
}

const where = ({ file, line, column }: PlacedFault): string => harmless(`${file}:${line}:${column}`);

const inLine = (fault: PlacedFault, paint: Colours): string =>
  [
    paint.cyan(where(fault)),
    paint.bold(harmless(fault.field)),
    `${harmless(fault.message)} ${paint.dim(`— ${harmless(fault.fix)}`)}`,
  ].join('  ');

function inBlock(fault: PlacedFault, paint: Colours, width: number): string {
  const { tool, field, message, fix } = fault;
  const indented = (text: string, tint: (line: string) => string) =>
    wrap(harmless(text), width - 2).map((line) => `  ${tint(line)}`);
  const name = tool === '' ? '' : `  ${harmless(tool)}`;
  return [
    `${paint.cyan(where(fault))}${name}`,
    ...indented(field, paint.bold),
    ...indented(message, (line) => line),
    ...indented(fix, paint.dim),
    '',
  ].join('\n');
}

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;
