/** `npm run test:long` sets it: every property tries its full number of texts, and every matrix all of its rows. */
export const isLong: boolean = process.env.TOOLMEND_LONG !== undefined;

/** How many texts a property tries: in `npm test` a tenth, but at least 50, and all in `npm run test:long`. The seed is the same. */
export const runs = (all: number): number => (isLong ? all : Math.min(all, Math.max(50, Math.ceil(all / 10))));

/** The rows of a matrix to run: one of so many in `npm test`, always the same ones, and all in `npm run test:long`. */
export const sampleOf = <T>(rows: readonly T[], oneOf: number): readonly T[] =>
  isLong ? rows : rows.filter((_, at) => at % oneOf === 0);
