import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Everything that is derived from SECRET_KEY. */
export type Keyring = {
  /** Encrypts `text` for the row `owner` (AES-256-GCM, the owner as additional data): a value moved to another row does not open. */
  seal(text: string, owner: string): Uint8Array<ArrayBuffer>;
  /** Opens what `seal` made; throws when the key, the owner or a byte differs. */
  open(sealed: Uint8Array, owner: string): string;
  /** A secret for one purpose (hex), the same in every process with the same key. */
  derive(purpose: string): string;
};

/** Derives a keyring from SECRET_KEY; each purpose has a key of its own (HKDF-SHA256). */
export function createKeyring(secretKey: string): Keyring {
  const expand = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, '', `pharos/${purpose}`, 32));
  const key = expand('encryption');
  const keyId = createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES);

  return {
    seal(text, owner) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return new Uint8Array(Buffer.concat([Buffer.from([VERSION]), keyId, iv, body, cipher.getAuthTag()]));
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed);
      const start = 1 + KEY_ID_BYTES;
      if (bytes[0] !== VERSION || !bytes.subarray(1, start).equals(keyId)) {
        throw new Error('a stored secret was sealed with another SECRET_KEY');
      }
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(start, start + IV_BYTES));
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES));
      const body = bytes.subarray(start + IV_BYTES, -TAG_BYTES);
      return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
    },
    derive: (purpose) => createHmac('sha256', expand('derive')).update(purpose).digest('hex'),
  };
}
