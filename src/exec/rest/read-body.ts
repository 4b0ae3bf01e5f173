/** A body as far as it was read. */
export interface ReadBody {
  readonly bytes: Uint8Array;
  /** There was more than we take. */
  readonly cut: boolean;
}

/** Reads a body up to a limit; of what is longer no more is taken from the network. */
export async function readBody(response: Response, most: number): Promise<ReadBody> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    const room = most - size;
    pieces.push(piece.subarray(0, room));
    size += Math.min(piece.length, room);
    // Leaving the loop cancels the stream, which closes the connection.
    if (piece.length > room) return { bytes: Buffer.concat(pieces), cut: true };
  }
  return { bytes: Buffer.concat(pieces), cut: false };
}
