/** Properties run on one seed, so that a run says the same twice; TOOLMEND_SEED looks elsewhere. */
import fc from 'fast-check';

const asked = process.env.TOOLMEND_SEED;
fc.configureGlobal({ seed: Number(asked ?? 20261115) });

/** For a property that looks elsewhere in every run; where it fails, the seed stands in its message. */
export const freshSeed: number = asked === undefined ? Math.trunc(Math.random() * 2 ** 31) : Number(asked);
