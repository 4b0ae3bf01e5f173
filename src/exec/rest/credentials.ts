import { headerText } from './header-faults.ts';
import type { RestAuth } from './rest-settings.ts';

/** What proves who asks, and every text that must not be shown for it; or the variable that does not do. */
export type Credentials =
  | { readonly type: 'ready'; readonly headers: Readonly<Record<string, string>>; readonly secrets: readonly string[] }
  | { readonly type: 'missing'; readonly variable: string }
  /** It holds what no header may hold. */
  | { readonly type: 'unusable'; readonly variable: string };

/** Reads the secrets a service asks for from the environment, anew at each call. */
export function credentials(
  auth: RestAuth | readonly RestAuth[] = [],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Credentials {
  const headers: Record<string, string> = {};
  const secrets: string[] = [];
  for (const one of [auth].flat() as RestAuth[]) {
    const secret = env[one.env]?.trim();
    if (!secret) return { type: 'missing', variable: one.env };
    const userEnv = one.type === 'basic' ? one.userEnv : undefined;
    const user = userEnv === undefined ? undefined : env[userEnv]?.trim();
    if (userEnv !== undefined && !user) return { type: 'missing', variable: userEnv };
    const [name, value, shown] = header(one, secret, user);
    if (!headerText.test(value)) return { type: 'unusable', variable: one.env };
    headers[name] = value;
    secrets.push(secret, shown);
  }
  return { type: 'ready', headers, secrets: [...new Set(secrets)] };
}

/** The header, and the part of it that is secret. */
function header(
  auth: RestAuth,
  secret: string,
  user: string | undefined,
): [name: string, value: string, shown: string] {
  if (auth.type === 'bearer') return ['authorization', `Bearer ${secret}`, secret];
  if (auth.type === 'header') return [auth.name.toLowerCase(), `${auth.prefix ?? ''}${secret}`, secret];
  const pair = Buffer.from(`${user ?? auth.user ?? ''}:${secret}`).toString('base64');
  return ['authorization', `Basic ${pair}`, pair];
}
