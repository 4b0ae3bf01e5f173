import type { Queries } from './postgres-pool.ts';

/** Asks as it is asked, and where nobody answers says so: what a socket says of itself tells a person nothing. */
export const answered = (queries: Queries): Queries => ({
  query: (text, values) => orWords(queries.query(text, values)),
});

/** The same for a single answer. */
export const orWords = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: { severity?: string; message?: string; code?: string }) => {
    // What Postgres itself says has its severity; everything else comes from the way to it.
    if (error.severity !== undefined) throw error;
    // A name with several addresses that all refuse has a code, and no words.
    throw new Error(`The database does not answer: ${error.message || error.code}`, { cause: error });
  });
