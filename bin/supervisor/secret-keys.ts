import type { Environment } from '@/lib/env';
import type { Secrets } from '@/lib/platform/postgres';

/** The keys of an installation, under the names that its processes know them by. */
export type SecretKeys = { SECRET_KEY: string; PREVIOUS_SECRET_KEYS: string[] };

/** The keys that the environment names, else those that DATA_DIR keeps. Either way previous ones of the environment count. */
export function chooseSecretKeys(
  { SECRET_KEY, PREVIOUS_SECRET_KEYS }: Pick<Environment, 'SECRET_KEY' | 'PREVIOUS_SECRET_KEYS'>,
  kept: Secrets,
): SecretKeys {
  if (SECRET_KEY !== undefined) return { SECRET_KEY, PREVIOUS_SECRET_KEYS };
  const { secretKey, previousSecretKeys } = kept;
  return {
    SECRET_KEY: secretKey,
    PREVIOUS_SECRET_KEYS: [...previousSecretKeys, ...PREVIOUS_SECRET_KEYS],
  };
}
