import { type ServedTurn, serveScripted } from '../../../src/provider/scripted/index.ts';

/** A model that writes one text on the next request, and ends on all later ones. */
export interface TextModel {
  /** Sets the next response. Returns the address for clients of OpenAI Chat Completions, `/v1` included. */
  readonly next: (turn: ServedTurn) => string;
  readonly close: () => Promise<void>;
}

/** Starts the model. It plays one text at a time. */
export async function textModel(): Promise<TextModel> {
  let turn: ServedTurn | undefined;
  const server = await serveScripted(() => {
    const served = turn ?? 'Done.';
    turn = undefined;
    return served;
  });
  return {
    next(next) {
      turn = next;
      return `${server.url}/v1`;
    },
    close: () => server.close(),
  };
}
