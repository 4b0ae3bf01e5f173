import { acceptTools } from '../../gateway/accept-tools.ts';
import type { GatewayConfig } from '../../gateway/gateway-config.ts';
import type { Terminal } from '../terminal.ts';

/** `toolmend gateway accept`: shows the tools that wait, and accepts those that are named. */
export async function acceptCommand(
  config: GatewayConfig,
  names: readonly string[],
  { output, errors }: Pick<Terminal, 'output' | 'errors'>,
): Promise<number> {
  const { accepted, waiting } = await acceptTools(config, names, (line) => errors.write(`toolmend: ${line}\n`));
  for (const { server, own } of accepted) output.write(`accepted ${server}/${own}\n`);
  for (const { server, own, definition } of waiting) {
    output.write(`waits: ${server}/${own}\n${JSON.stringify(definition, null, 2).replace(/^/gm, '  ')}\n`);
  }
  if (accepted.length + waiting.length === 0) output.write('Nothing waits to be accepted.\n');
  return waiting.length > 0 ? 1 : 0;
}
