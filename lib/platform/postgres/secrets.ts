import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { describeError, StartupError } from '@/lib/core/errors';
import { writePrivateFile } from './write-private-file';

/** What this installation made up once and must keep: losing `secretKey` makes the encrypted columns unreadable. */
export type Secrets = {
  /** Password of the database's user `pharos`, safe in a URL. */
  postgresPassword: string;
  /** 32 random bytes in base64url: the key of encryption and sessions. */
  secretKey: string;
  /** The keys before it, the latest first: what was made under them still opens. */
  previousSecretKeys: string[];
};

// Loose: a later version may keep more here, and going back to this one must not lose it.
const secretsFile = z.looseObject({
  postgresPassword: z.string().min(1).optional(),
  secretKey: z.string().min(1).optional(),
  previousSecretKeys: z.array(z.string().min(1)).default([]),
});

function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

function pathOf(dataDir: string): string {
  return join(dataDir, 'secrets.json');
}

async function readSecretsFile(path: string): Promise<z.infer<typeof secretsFile>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return secretsFile.parse({});
    throw new StartupError(`${path} cannot be read: ${describeError(error)}`, { cause: error });
  }
  try {
    return secretsFile.parse(JSON.parse(text));
  } catch (error) {
    // Making new ones would lock the operator out of the data for good.
    throw new StartupError(`${path} is damaged: restore it from a backup`, { cause: error });
  }
}

/** The secrets in `DATA_DIR/secrets.json`, or null when they have not been made. Throws StartupError when it is damaged. */
export async function readSecrets(dataDir: string): Promise<Secrets | null> {
  const { postgresPassword, secretKey, previousSecretKeys } = await readSecretsFile(pathOf(dataDir));
  return postgresPassword && secretKey ? { postgresPassword, secretKey, previousSecretKeys } : null;
}

/**
 * The secrets in `DATA_DIR/secrets.json` (mode 0600); those that are missing are made and kept. The caller holds the lock
 * on DATA_DIR. Throws StartupError when the file is unreadable or damaged.
 */
export async function readOrCreateSecrets(dataDir: string): Promise<Secrets> {
  const kept = await readSecretsFile(pathOf(dataDir));
  const secrets = {
    postgresPassword: kept.postgresPassword ?? createSecret(),
    secretKey: kept.secretKey ?? createSecret(),
    previousSecretKeys: kept.previousSecretKeys,
  };
  if (!kept.postgresPassword || !kept.secretKey) {
    await writeSecrets(dataDir, secrets);
  }
  return secrets;
}

/** Makes a new secret key and keeps the ones before it beside it. The caller holds the lock on DATA_DIR. */
export async function addSecretKey(dataDir: string): Promise<void> {
  const kept = await readOrCreateSecrets(dataDir);
  const previousSecretKeys = [kept.secretKey, ...kept.previousSecretKeys];
  await writeSecrets(dataDir, { secretKey: createSecret(), previousSecretKeys });
}

/** Keeps the current secret key alone; answers how many others there were. The caller holds the lock on DATA_DIR. */
export async function forgetPreviousSecretKeys(dataDir: string): Promise<number> {
  const { previousSecretKeys } = await readOrCreateSecrets(dataDir);
  await writeSecrets(dataDir, { previousSecretKeys: [] });
  return previousSecretKeys.length;
}

async function writeSecrets(dataDir: string, changes: Partial<Secrets>): Promise<void> {
  const path = pathOf(dataDir);
  const kept = await readSecretsFile(path);
  await writePrivateFile(path, `${JSON.stringify({ ...kept, ...changes }, null, 2)}\n`);
}
