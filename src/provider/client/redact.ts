import { redactSecrets } from '../../json/redact-secrets.ts';

const shortest = 4;

/** The same value with every secret in its texts blotted out. Shorter ones stay, because they occur in ordinary words. */
export const redact = <T>(value: T, secrets: readonly string[]): T =>
  redactSecrets(
    secrets.filter((secret) => secret.length >= shortest),
    '[secret]',
  )(value);
