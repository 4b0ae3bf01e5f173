import { redactSecrets } from '../../json/redact-secrets.ts';

const shortest = 4;

/** Replaces secrets in all strings of a value. Ignores short secrets, because they occur in ordinary words. */
export const redact = <T>(value: T, secrets: readonly string[]): T =>
  redactSecrets(
    secrets.filter((secret) => secret.length >= shortest),
    '[secret]',
  )(value);
