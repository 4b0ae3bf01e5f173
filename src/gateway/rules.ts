import type { PermissionDecision, Permissions } from '../exec/permission.ts';
import { permissions } from '../exec/permissions.ts';
import type { GatewayConfig } from './gateway-config.ts';
import type { Outward } from './offer.ts';

const strictness: readonly PermissionDecision['type'][] = ['allow', 'ask', 'deny'];

/** The rules for all tools by the names clients see, and those of each server by its own; the stricter word counts. */
export function rules(config: GatewayConfig, find: (name: string) => Outward | undefined): Permissions {
  const all = permissions(config.permissions);
  const own = new Map(
    Object.entries(config.mcpServers).map(([name, server]) => [name, permissions(server.permissions)]),
  );
  return {
    decide(call) {
      const general = all.decide(call);
      const outward = find(call.name);
      const special = outward && own.get(outward.server)?.decide({ ...call, name: outward.own });
      if (!special || !outward || strictness.indexOf(special.type) <= strictness.indexOf(general.type)) return general;
      return special.type === 'ask' ? { ...special, rule: `${outward.server}/${special.rule}` } : special;
    },
  };
}
