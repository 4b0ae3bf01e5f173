/** Properties run on one seed, so that a run says the same twice; TOOLMEND_SEED and `npm run fuzz` look elsewhere. */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.TOOLMEND_SEED ?? 20261115) });
