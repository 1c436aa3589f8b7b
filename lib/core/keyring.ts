import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { isSameText } from './same-text';

const VERSION = 1;
const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Length of the prefix of a sealed value that identifies its key. */
export const SEAL_PREFIX_BYTES = 1 + KEY_ID_BYTES;

/** Everything derived from SECRET_KEY and PREVIOUS_SECRET_KEYS. */
export type Keyring = ReturnType<typeof createKeyring>;

/**
 * Derives a keyring from SECRET_KEY, with a separate key for each purpose (HKDF-SHA256). Keys in `previous` are only used to open
 * and verify older values.
 */
export function createKeyring(secretKey: string, previous: readonly string[] = []) {
  const current = expandKey(secretKey);
  const all = [current, ...previous.map(expandKey)];

  const sealBytes = (content: Uint8Array, owner: string): Uint8Array<ArrayBuffer> => {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', current.encryption, iv).setAAD(Buffer.from(owner));
    const body = Buffer.concat([cipher.update(content), cipher.final()]);
    return new Uint8Array(Buffer.concat([current.prefix, iv, body, cipher.getAuthTag()]));
  };

  const openBytes = (sealed: Uint8Array, owner: string): Buffer => {
    const bytes = Buffer.from(sealed);
    const key = all.find(({ prefix }) => bytes.subarray(0, SEAL_PREFIX_BYTES).equals(prefix));
    if (key === undefined) throw new Error('a stored secret was sealed with another SECRET_KEY');
    const iv = bytes.subarray(SEAL_PREFIX_BYTES, SEAL_PREFIX_BYTES + IV_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key.encryption, iv);
    decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const body = bytes.subarray(SEAL_PREFIX_BYTES + IV_BYTES, -TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  };

  return {
    /** Encrypts bytes for the row `owner` (AES-256-GCM): a value moved to another row does not open. */
    sealBytes,
    /** Decrypts a value sealed with any of the keys; throws if the key, the owner or a byte differs. */
    openBytes,
    /** `sealBytes` for a text. */
    seal: (text: string, owner: string): Uint8Array<ArrayBuffer> => sealBytes(Buffer.from(text), owner),
    /** `openBytes` for a text. */
    open: (sealed: Uint8Array, owner: string): string => openBytes(sealed, owner).toString(),
    /** A secret for one purpose (hex), the same in every process with the same key. */
    derive: (purpose: string): string => current.derive(purpose),
    /** The result of `derive` for every key, the current one first, to verify older values. */
    deriveAll: (purpose: string): string[] => all.map(({ derive }) => derive(purpose)),
    /** Whether a value was derived for a purpose, with any of the keys. */
    isDerived: (purpose: string, value: string): boolean =>
      all.some(({ derive }) => isSameText(value, derive(purpose))),
    /** The prefix of every value sealed with the current key. */
    sealPrefix: new Uint8Array(current.prefix),
  };
}

function expandKey(secretKey: string) {
  const expand = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, '', `pharos/${purpose}`, 32));
  const [encryption, derivation] = [expand('encryption'), expand('derive')];
  const keyId = createHash('sha256').update(encryption).digest().subarray(0, KEY_ID_BYTES);
  return {
    encryption,
    prefix: Buffer.concat([Buffer.from([VERSION]), keyId]),
    derive: (purpose: string) => createHmac('sha256', derivation).update(purpose).digest('hex'),
  };
}
