import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { describeError, StartupError } from '@/lib/core/errors';
import { acquireFileLock, type FileLock, readLockHolder } from '@/lib/core/file-lock';

const REASONS: Record<string, string> = {
  EACCES: 'permission denied; let this user write there',
  EPERM: 'permission denied; let this user write there',
  EROFS: 'the file system is read-only; mount it for writing',
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the disk quota is used up; free some space',
  EEXIST: 'it is not a directory; move it away',
  ENOTDIR: 'a part of its path is not a directory; move that away',
};

function toStartupError(dataDir: string, error: unknown): StartupError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? message;
  return new StartupError(`DATA_DIR ${dataDir} cannot be written: ${reason}, or set DATA_DIR elsewhere`, {
    cause: error,
  });
}

/** Creates DATA_DIR (mode 0700) if missing; returns its absolute path. Throws StartupError if it cannot be written. */
export async function ensureDataDir(dataDir: string): Promise<string> {
  const directory = resolve(dataDir);
  const probe = join(directory, `.write-test-${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(probe, 'x', { flag: 'wx', mode: 0o600 });
    await rm(probe);
  } catch (error) {
    throw toStartupError(directory, error);
  }
  return directory;
}

/** Another Pharos uses a DATA_DIR. */
export class DataDirInUseError extends StartupError {}

/** Locks DATA_DIR for this process. Throws DataDirInUseError with the pid of another Pharos that uses it. */
export function lockDataDir(dataDir: string): FileLock {
  const path = join(resolve(dataDir), 'pharos.lock');
  let lock: FileLock | null;
  try {
    lock = acquireFileLock(path);
  } catch (error) {
    throw toStartupError(resolve(dataDir), error);
  }
  if (lock) return lock;
  const holder = readLockHolder(path) ?? 'unknown';
  throw new DataDirInUseError(
    `another Pharos (pid ${holder}) is using DATA_DIR ${resolve(dataDir)}; stop it or set DATA_DIR`,
  );
}

/** Makes a rename or a new file in `directory` survive a power failure. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a file with mode 0600 atomically: readers see the old or the new text, even after a power failure. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Generated once per installation. Without `secretKey`, encrypted columns are unreadable. */
export type Secrets = {
  /** Password of the database user `pharos`, safe in URLs. */
  postgresPassword: string;
  /** 32 random bytes in base64url: the key for encryption and sessions. */
  secretKey: string;
  /** Previous keys, latest first: what they encrypted can still be decrypted. */
  previousSecretKeys: string[];
};

// Loose, since a later version may store more here, which a downgrade must not lose.
const secretsFile = z.looseObject({
  postgresPassword: z.string().min(1).optional(),
  secretKey: z.string().min(1).optional(),
  previousSecretKeys: z.array(z.string().min(1)).default([]),
});

function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

function secretsPath(dataDir: string): string {
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
    // Creating new ones would permanently lock the operator out of the data.
    throw new StartupError(`${path} is damaged: restore it from a backup`, { cause: error });
  }
}

/** The secrets in `DATA_DIR/secrets.json`; null if not created yet. Throws StartupError if the file is damaged. */
export async function readSecrets(dataDir: string): Promise<Secrets | null> {
  const { postgresPassword, secretKey, previousSecretKeys } = await readSecretsFile(secretsPath(dataDir));
  return postgresPassword && secretKey ? { postgresPassword, secretKey, previousSecretKeys } : null;
}

/**
 * The secrets in `DATA_DIR/secrets.json` (mode 0600); missing ones are created and stored. The caller holds
 * the lock on DATA_DIR. Throws StartupError if the file is unreadable or damaged.
 */
export async function readOrCreateSecrets(dataDir: string): Promise<Secrets> {
  const kept = await readSecretsFile(secretsPath(dataDir));
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

/** Creates a new secret key and keeps the previous ones. The caller holds the lock on DATA_DIR. */
export async function addSecretKey(dataDir: string): Promise<void> {
  const kept = await readOrCreateSecrets(dataDir);
  const previousSecretKeys = [kept.secretKey, ...kept.previousSecretKeys];
  await writeSecrets(dataDir, { secretKey: createSecret(), previousSecretKeys });
}

/** Replaces the secret keys with those of another installation. The caller holds the lock on DATA_DIR. */
export async function adoptSecretKeys(
  dataDir: string,
  keys: Pick<Secrets, 'secretKey' | 'previousSecretKeys'>,
): Promise<void> {
  await readOrCreateSecrets(dataDir);
  await writeSecrets(dataDir, keys);
}

/** Deletes all secret keys but the current one; returns their number. The caller holds the lock on DATA_DIR. */
export async function forgetPreviousSecretKeys(dataDir: string): Promise<number> {
  const { previousSecretKeys } = await readOrCreateSecrets(dataDir);
  await writeSecrets(dataDir, { previousSecretKeys: [] });
  return previousSecretKeys.length;
}

async function writeSecrets(dataDir: string, changes: Partial<Secrets>): Promise<void> {
  const path = secretsPath(dataDir);
  const kept = await readSecretsFile(path);
  await writePrivateFile(path, `${JSON.stringify({ ...kept, ...changes }, null, 2)}\n`);
}
