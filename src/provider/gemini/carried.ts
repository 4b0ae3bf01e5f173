import { carrier } from '../carrier.ts';

/** What this wire carries along. */
export const { carried, always, own, ownObject } = carrier('gemini');
