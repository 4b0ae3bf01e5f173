import type { ModelResponse, StreamEventResponseCompleted } from '@openai/agents-core';

type Usage = ModelResponse['usage'];

/** What an answer cost: the SDK's own class where the answer came whole, plain counts where it streamed. */
export type UsageData = StreamEventResponseCompleted['response']['usage'];

/** What several answers cost together, in plain counts. */
export function sumUsage(usages: readonly UsageData[]): UsageData {
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

/** The same in the SDK's own class, which is found on the values, so that the SDK is no import of ours. */
export function sumSdkUsage(usages: readonly UsageData[]): Usage {
  const known = usages.find((usage): usage is Usage => 'add' in usage);
  if (known && usages.length === 1) return known;
  const sum = sumUsage(usages);
  return known ? new (known.constructor as new (data: UsageData) => Usage)(sum) : (sum as Usage);
}

const listOf = (details: UsageData['inputTokensDetails'] = []): Record<string, number>[] =>
  Array.isArray(details) ? details : [details];
