import type { ModelResponse, StreamEventResponseCompleted } from '@openai/agents-core';

type Usage = ModelResponse['usage'];

/** Usage of a response: the SDK's class for a complete one, plain counts for a stream. */
export type UsageData = StreamEventResponseCompleted['response']['usage'];

/** The total usage of several responses, as plain counts. */
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

/** The same as an instance of the SDK's class, which is taken from the values to avoid importing the SDK. */
export function sumSdkUsage(usages: readonly UsageData[]): Usage {
  const known = usages.find((usage): usage is Usage => 'add' in usage);
  if (known && usages.length === 1) return known;
  const sum = sumUsage(usages);
  return known ? new (known.constructor as new (data: UsageData) => Usage)(sum) : (sum as Usage);
}

const listOf = (details: UsageData['inputTokensDetails'] = []): Record<string, number>[] =>
  Array.isArray(details) ? details : [details];
