import type { JsonObject } from '../json/value.ts';
import type { ServerReply } from './ask-json.ts';

/** The page that was asked for; an empty one where it is not there. */
export const pageOf = (heard: ServerReply): JsonObject =>
  heard.type === 'answered' && heard.status === 200 ? (heard.body ?? {}) : {};
