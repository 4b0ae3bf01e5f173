import type { TurnEvent } from '../../model/index.ts';
import type { StreamWriter } from './types.ts';

/**
 * A writer of a wire's stream.
 *
 * @param frame writes a frame
 * @param writing makes what says an event in frames; it is given a way to write them that is silent where nobody listens
 */
export function sseWriter<Frame>(
  frame: (data: Frame) => string,
  writing: (frame: (data: Frame) => string) => (event: TurnEvent) => string,
): StreamWriter {
  let silent = false;
  const write = writing((data) => (silent ? '' : frame(data)));
  const pass = (event: TurnEvent): void => {
    silent = true;
    write(event);
    silent = false;
  };
  return { write, pass };
}
