import type { JsonObject } from '../../json/value.ts';
import type { ReasoningSetting } from '../../turn/turn.ts';
import type { Form } from '../as-it-came.ts';
import { proto } from './proto.ts';

const levels = ['minimal', 'low', 'medium', 'high'];

/** `thinkingConfig`: a budget of 0 is no thinking, one of -1 as much as the model likes. */
export const thinking: Form<ReasoningSetting> = {
  format: 'gemini',

  read(wire) {
    const { thinkingBudget: budget, thinkingLevel: level } = proto(wire, 'generationConfig.thinkingConfig');
    if (budget === 0) return { enabled: false };
    return {
      enabled: true,
      ...(typeof level === 'string' && { effort: level.toLowerCase() }),
      ...(typeof budget === 'number' && budget > 0 && { budget }),
    };
  },

  write({ enabled, effort, budget }): JsonObject {
    if (!enabled) return { thinkingBudget: 0 };
    return {
      includeThoughts: true,
      ...(effort !== undefined && { thinkingLevel: levels.includes(effort) ? effort.toUpperCase() : effort }),
      ...(budget !== undefined && { thinkingBudget: budget }),
    };
  },
};
