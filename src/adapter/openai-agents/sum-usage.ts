import type { ModelResponse, StreamEventResponseCompleted } from '@openai/agents-core';

type Usage = ModelResponse['usage'];
type UsageData = StreamEventResponseCompleted['response']['usage'];

/** What several answers cost together, in the SDK's own class. */
export function sumUsage(usages: readonly Usage[]): Usage {
  const [first] = usages as [Usage];
  if (usages.length === 1) return first;
  // Its class is found on the value, so that the SDK is no import of ours.
  const sum = new (first.constructor as new () => Usage)();
  for (const usage of usages) sum.add(usage);
  return sum;
}

/** The same for the plain counts of a stream. */
export function sumUsageData(usages: readonly UsageData[]): UsageData {
  const [first] = usages as [UsageData];
  if (usages.length === 1) return first;
  const total = (count: (usage: UsageData) => number): number => usages.reduce((sum, usage) => sum + count(usage), 0);
  const entries = usages.flatMap(({ requestUsageEntries }) => requestUsageEntries ?? []);
  return {
    requests: total(({ requests = 1 }) => requests),
    inputTokens: total(({ inputTokens }) => inputTokens),
    outputTokens: total(({ outputTokens }) => outputTokens),
    totalTokens: total(({ totalTokens }) => totalTokens),
    inputTokensDetails: usages.flatMap(({ inputTokensDetails }) => listOf(inputTokensDetails)),
    outputTokensDetails: usages.flatMap(({ outputTokensDetails }) => listOf(outputTokensDetails)),
    ...(entries.length > 0 && { requestUsageEntries: entries }),
  };
}

const listOf = (details: UsageData['inputTokensDetails'] = []): Record<string, number>[] =>
  Array.isArray(details) ? details : [details];
