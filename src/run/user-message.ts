import type { UserMessage } from '../turn/turn.ts';

/** What somebody said, as a message. */
export const userMessage = (said: string | UserMessage): UserMessage =>
  typeof said === 'string' ? { role: 'user', parts: [{ type: 'text', text: said }] } : said;
