import type { PromptedRegion } from './regions.ts';

/** If they are further apart than this, a second list is another example or another turn. */
const near = 120;
/** The text that can be between calls that belong together. */
const fence = /```\w*|<[^<>\n]{0,40}>|#[^\n]*|\b\d{1,3}\./g;
const light = /^[\s,;.'"`\])}*|\\[-]*$/;
const longest = 400;

/**
 * Chooses the regions that are the response. Calls in a list or an object have the requested form: the first of these
 * and those that directly follow it are the response, and later ones only discuss it. Without such a region, calls in
 * code have precedence over calls in prose. A call that is only repeated later counts once.
 */
export function selectRegions(text: string, regions: readonly PromptedRegion[]): PromptedRegion[] {
  const clusters = cluster(text, regions);
  const [opening] = clusters;
  const first = opening && isRepeated(text, opening, clusters) ? 0 : clusters.findIndex((one) => one.some(isAsked));
  const answer = first < 0 ? inCode(text, clusters) : following(clusters, first);
  const seen = new Set<string>();
  return answer.flatMap((one) => {
    const lists = new Set<string>();
    const fresh = one.filter((region) => {
      const told = tellOf(region);
      if (seen.has(told) || lists.has(told)) return false;
      // A repeated list repeats the response, but the same call on two lines is made twice.
      if (isAsked(region)) lists.add(told);
      return true;
    });
    for (const region of one) seen.add(tellOf(region));
    return fresh;
  });
}

/** The calls of a region, however its brackets were closed. */
const tellOf = ({ calls }: PromptedRegion): string =>
  JSON.stringify(
    calls.map(({ source: _, ...call }) => ({
      ...call,
      read: (call.read ?? []).filter(({ kind }) => kind !== 'closer'),
    })),
  );

/** Whether a later list repeats exactly the calls at the start of the response. */
function isRepeated(text: string, opening: readonly PromptedRegion[], clusters: readonly PromptedRegion[][]): boolean {
  const told = (regions: readonly PromptedRegion[]): string =>
    JSON.stringify(regions.flatMap(({ calls }) => calls.map(({ source: _, ...call }) => call)));
  const list = clusters.find((one) => one.some(isAsked));
  return (
    list !== undefined &&
    list !== opening &&
    light.test(text.slice(0, opening[0]?.start)) &&
    told(list) === told(opening)
  );
}

const isAsked = ({ form }: PromptedRegion): boolean => form === 'list' || form === 'object';

/** Groups regions with only punctuation, fences and comments between them. */
function cluster(text: string, regions: readonly PromptedRegion[]): PromptedRegion[][] {
  const clusters: PromptedRegion[][] = [];
  let end = -1;
  for (const region of regions) {
    const gap = end < 0 || region.start - end > longest ? undefined : text.slice(end, region.start);
    const joined = gap !== undefined && light.test(gap.replace(fence, ''));
    if (joined) clusters.at(-1)?.push(region);
    else clusters.push([region]);
    end = region.end;
  }
  return clusters;
}

function following(clusters: readonly PromptedRegion[][], first: number): PromptedRegion[][] {
  const taken: PromptedRegion[][] = [];
  let end = -1;
  for (const one of clusters.slice(first)) {
    const start = one[0]?.start ?? 0;
    if (end >= 0 && (start - end > near || !one.every(isAsked))) break;
    taken.push(one);
    end = one.at(-1)?.end ?? start;
  }
  return taken;
}

/** The clusters inside code fences if there are any, otherwise all clusters. */
function inCode(text: string, clusters: readonly PromptedRegion[][]): readonly PromptedRegion[][] {
  const marks: number[] = [];
  for (let at = text.indexOf('```'); at >= 0; at = text.indexOf('```', at + 3)) marks.push(at);
  let before = 0;
  const fenced = clusters.filter(([region]) => {
    while (before < marks.length && (marks[before] as number) < (region?.start ?? 0)) before++;
    return before % 2 === 1;
  });
  return fenced.length > 0 ? fenced : clusters;
}
