import { createHash, randomBytes } from 'node:crypto';
import type { Keyring } from '@/lib/core/keyring';

const RANDOM_BYTES = 24;
const SHAPE = /^[\w-]{32}$/;

/** The columns of a token in the row of its monitor. */
export type TokenColumns = {
  heartbeatTokenSealed: Uint8Array<ArrayBuffer>;
  heartbeatTokenHash: Uint8Array<ArrayBuffer>;
};

/** The columns of a new random token (192 bits) for the heartbeat URL of a monitor. */
export function createToken(keyring: Keyring, monitorId: string): TokenColumns {
  const token = randomBytes(RANDOM_BYTES).toString('base64url');
  return {
    heartbeatTokenSealed: keyring.seal(token, ownerOf(monitorId)),
    heartbeatTokenHash: hashToken(token),
  };
}

/** Opens the token of a monitor. Throws if it was sealed with an unknown key. */
export function openToken(keyring: Keyring, monitorId: string, sealed: Uint8Array): string {
  return keyring.open(sealed, ownerOf(monitorId));
}

/** Whether a text can be a token. */
export function isWellFormedToken(text: string): boolean {
  return SHAPE.test(text);
}

/** What a token is found by. SHA-256 is enough for 192 random bits. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

function ownerOf(monitorId: string): string {
  return `${monitorId}/heartbeatToken`;
}
