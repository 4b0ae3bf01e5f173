import { foldKey } from './coerce/fold.ts';
import { editDistance } from './edit-distance.ts';

const longest = 64;

/**
 * The one candidate a key was probably meant to be: equal but for case, `_` and `-`, else within a third of the
 * candidate's length in edits. Undefined where none or several are close.
 */
export const closestKey = (key: string, candidates: Iterable<string>): string | undefined => {
  const others = [...candidates].filter((one) => one !== key && Math.max(one.length, key.length) <= longest);
  const folded = foldKey(key);
  const same = others.filter((one) => foldKey(one) === folded);
  const near = (one: string): boolean => {
    const most = Math.floor(one.length / 3);
    return editDistance(folded, foldKey(one), most) <= most;
  };
  const found = same.length > 0 ? same : others.filter(near);
  return found.length === 1 ? found[0] : undefined;
};
