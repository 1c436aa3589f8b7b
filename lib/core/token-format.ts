import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const HINT_LENGTH = 4;

/** How the tokens of one kind look: a prefix, 32 random base62 characters (190 bits), and 6 more for their CRC-32. */
export function createTokenFormat(prefix: string) {
  const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);
  return {
    /** A new random token. */
    generate: (): string => {
      const random = Array.from({ length: RANDOM_LENGTH }, () =>
        ALPHABET.charAt(randomInt(ALPHABET.length)),
      ).join('');
      return prefix + random + checksum(random);
    },
    /** Whether a text can be a token: rejects typos and guesses without a database query. */
    isWellFormed: (text: string): boolean => {
      if (!shape.test(text)) return false;
      const random = text.slice(prefix.length, -CHECKSUM_LENGTH);
      return text.slice(-CHECKSUM_LENGTH) === checksum(random);
    },
    /** The stored form of a token. SHA-256 is enough for 190 random bits. */
    hash: (token: string): Uint8Array<ArrayBuffer> =>
      new Uint8Array(createHash('sha256').update(token).digest()),
    /** The first characters of a token, so that people can tell tokens apart. */
    hint: (token: string): string => token.slice(0, prefix.length + HINT_LENGTH),
  };
}

/** The token in an Authorization header: `Bearer <token>`; null without one. */
export function readBearer(authorization: string | null | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;
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
