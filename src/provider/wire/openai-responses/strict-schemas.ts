import type { TurnRequest } from '../../../model/index.ts';

/** The service holds a model to the schema of a tool that does not say, so that each of ours says whether it should. */
export const withExplicitStrict = (request: TurnRequest): TurnRequest =>
  request.tools
    ? {
        ...request,
        tools: request.tools.map((tool) =>
          tool.type === 'function' && tool.strict === undefined ? { ...tool, strict: false } : tool,
        ),
      }
    : request;
