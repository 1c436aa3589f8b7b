import { createHmac, createSecretKey, type KeyObject, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { StartupError } from '@/lib/core/errors';

const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** 128 MB and about half a second per guess. */
const COST = 2 ** 17;
const BLOCK_SIZE = 8;

/** What a backup states about its encryption, readable without the passphrase. The cost is bounded, since a file can contain anything. */
export const encryptionSchema = z.strictObject({
  cipher: z.literal('aes-256-gcm'),
  kdf: z.literal('scrypt'),
  cost: z
    .int()
    .min(2 ** 14)
    .max(2 ** 20)
    .refine((cost) => Number.isInteger(Math.log2(cost))),
  blockSize: z.int().min(1).max(16),
  salt: z.base64(),
  /** Derived from the key: tells a wrong passphrase from a damaged file. */
  check: z.string(),
});

export type Encryption = z.infer<typeof encryptionSchema>;

/** A new key for one backup, derived from its passphrase, and what the backup states about it. */
export async function createKey(
  passphrase: string,
  cost = COST,
): Promise<{ key: KeyObject; encryption: Encryption }> {
  const salt = randomBytes(SALT_BYTES).toString('base64');
  const parameters = { kdf: 'scrypt', cost, blockSize: BLOCK_SIZE, salt } as const;
  const key = await deriveKey(passphrase, parameters);
  return { key, encryption: { cipher: 'aes-256-gcm', ...parameters, check: checkOf(key) } };
}

/** The key of a backup. Throws StartupError without the right passphrase. */
export async function findKey(encryption: Encryption, passphrase: string | null): Promise<KeyObject> {
  if (passphrase === null) {
    throw new StartupError(
      'the backup is encrypted: set BACKUP_PASSPHRASE, or give its passphrase with --passphrase-file',
    );
  }
  const key = await deriveKey(passphrase, encryption);
  if (checkOf(key) === encryption.check) return key;
  throw new StartupError('the passphrase is not the one that this backup was encrypted with');
}

const deriveBytes = promisify<string, Buffer, number, { N: number; r: number; maxmem: number }, Buffer>(
  scrypt,
);

async function deriveKey(
  passphrase: string,
  { cost, blockSize, salt }: Pick<Encryption, 'cost' | 'blockSize' | 'salt'>,
): Promise<KeyObject> {
  const options = { N: cost, r: blockSize, maxmem: 256 * cost * blockSize };
  return createSecretKey(await deriveBytes(passphrase, Buffer.from(salt, 'base64'), KEY_BYTES, options));
}

function checkOf(key: KeyObject): string {
  return createHmac('sha256', key).update('pharos backup passphrase').digest('base64').slice(0, 12);
}
