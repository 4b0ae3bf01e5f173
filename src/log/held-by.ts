/** So far behind stays text that is cleaned by a function of which nothing is known: what it takes out may be that long. */
const behind = 256;
const mostPlaces = 8;

/**
 * Where text that goes on can be cut so that a function finds the same in both pieces as in the whole: never inside what it
 * takes out, as long as that has no more than 256 characters.
 */
export const safeSplit =
  (clean: (text: string) => string) =>
  (text: string): number => {
    if (text.length <= behind) return 0;
    const whole = clean(text);
    let at = text.length - behind;
    for (let tries = 0; tries < mostPlaces && at > 0; tries += 1) {
      if (clean(text.slice(0, at)) + clean(text.slice(at)) === whole) return at;
      at = text.lastIndexOf(' ', at - 1);
    }
    return 0;
  };
