import { count, percent } from './count.ts';
import type { Judged } from './judged.ts';
import type { Case } from './sample.ts';

/** Where a peer does better than we do, as sentences. */
export interface Losses {
  /** Families in which a peer recovers more of what has one reading, on the cases it was given. */
  readonly families: readonly string[];
  /** Kinds that a peer recovered exactly and we refused. */
  readonly kinds: readonly string[];
}

/** Compares one of ours with the peers, case by case. */
export function lossesOf(ours: Judged, peers: readonly Judged[], cases: readonly Case[]): Losses {
  const families = [...new Set(cases.map(({ family }) => family))].flatMap((family) =>
    peers.flatMap((peer) => {
      const put = new Set(cases.filter((one, index) => one.family === family && peer.results[index]));
      const [our, their] = [ours, peer].map((judged) => count(judged, cases, (one) => put.has(one)));
      if (!our || !their || their.given.one.recovered <= our.given.one.recovered) return [];
      const share = ({ given, of }: typeof our): string => percent(given.one.recovered, of.one);
      return [
        `${family}: ${peer.contestant.name} recovers ${share(their)} of its calls, ${ours.contestant.name} ${share(our)}`,
      ];
    }),
  );
  return { families, kinds: kindsLost(ours, peers, cases) };
}

function kindsLost(ours: Judged, peers: readonly Judged[], cases: readonly Case[]): string[] {
  const found = new Map<string, { trials: number; by: Set<string> }>();
  for (const [index, { kind }] of cases.entries()) {
    if (ours.results[index]?.verdict !== 'refused') continue;
    const better = peers.filter((peer) => peer.results[index]?.verdict === 'recovered');
    if (better.length === 0) continue;
    const entry = found.get(kind) ?? { trials: 0, by: new Set() };
    entry.trials += 1;
    for (const { contestant } of better) entry.by.add(contestant.name);
    found.set(kind, entry);
  }
  return [...found].map(
    ([kind, { trials, by }]) =>
      `${kind}: ${trials} of ${cases.filter((one) => one.kind === kind).length} calls, by ${[...by].join(', ')}`,
  );
}
