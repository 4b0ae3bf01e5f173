import { createHash } from 'node:crypto';
import type { McpTool } from '../../tool/mcp.ts';
import { keysInOrder } from '../tool-fingerprint.ts';

/**
 * A hash of all that a definition tells a model or a checker. Keys may come in any order; throws for one that is nested
 * too deep to be written down.
 */
export function definitionHash(definition: McpTool): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = definition;
  const told = { name, title, description, inputSchema, outputSchema, annotations };
  return createHash('sha256').update(JSON.stringify(told, keysInOrder)).digest('hex');
}
