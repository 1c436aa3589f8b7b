import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'ph_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);
const HINT_LENGTH = PREFIX.length + 4;

/** A new key: `ph_live_`, 32 random base62 characters (190 bits), and 6 more for their CRC-32. */
export function generateApiKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () =>
    ALPHABET.charAt(randomInt(ALPHABET.length)),
  ).join('');
  return PREFIX + random + checksum(random);
}

/** Whether a text can be a key: rejects typos and guesses without a database query. */
export function isWellFormedApiKey(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const random = text.slice(PREFIX.length, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksum(random);
}

/** The stored form of a key. SHA-256 is enough for 190 random bits. */
export function hashApiKey(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(key).digest());
}

/** The first characters of a key, so that people can tell keys apart. */
export function apiKeyHint(key: string): string {
  return key.slice(0, HINT_LENGTH);
}

function checksum(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
