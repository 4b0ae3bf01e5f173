import type { TurnRequest } from '../../../model/index.ts';

/** Sets `strict` on every tool, because the service enables it by default. */
export const withExplicitStrict = (request: TurnRequest): TurnRequest =>
  request.tools
    ? {
        ...request,
        tools: request.tools.map((tool) =>
          tool.type === 'function' && tool.strict === undefined ? { ...tool, strict: false } : tool,
        ),
      }
    : request;
