import { randomBytes } from 'node:crypto';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';

/** How long a person has to use their passkey, in seconds. */
export const CHALLENGE_SECONDS = 300;

/** What a challenge is for: using a passkey, or adding one for this user. */
export type ChallengePurpose = { kind: 'use' } | { kind: 'add'; userId: string };

type Keys = Pick<Services, 'keyring' | 'clock'>;

const TICKET_BYTES = 32;

/**
 * A challenge for a passkey, and its ticket for a cookie: only the browser that requested a challenge can use it. Nothing is stored:
 * the challenge is derived from the ticket, which contains when it expires.
 */
export function createChallenge(
  { keyring, clock }: Keys,
  purpose: ChallengePurpose,
): { challenge: Uint8Array<ArrayBuffer>; ticket: string } {
  const expiresAt = clock.now().getTime() + CHALLENGE_SECONDS * 1000;
  const ticket = `${expiresAt}.${randomBytes(TICKET_BYTES).toString('base64url')}`;
  return { challenge: readHex(keyring.derive(purposeOf(purpose, ticket))), ticket };
}

/** Whether a signed challenge (base64url) is the one of a ticket, and has not expired. */
export function isChallenge(
  { keyring, clock }: Keys,
  { purpose, ticket, challenge }: { purpose: ChallengePurpose; ticket: string; challenge: string },
): boolean {
  const isOpen = expiryOf(ticket) > clock.now().getTime();
  const given = Buffer.from(challenge, 'base64url').toString('hex');
  return isOpen && keyring.isDerived(purposeOf(purpose, ticket), given);
}

/**
 * Uses a challenge up in the caller's transaction, after its signature was verified: so only people with a passkey store something.
 * Of several uses, also at the same time, only one returns true.
 */
export async function consumeChallenge(
  tx: Transaction,
  { ticket, challenge }: { ticket: string; challenge: string },
): Promise<boolean> {
  const bytes = new Uint8Array(Buffer.from(challenge, 'base64url'));
  const expiresAt = new Date(expiryOf(ticket));
  const used = await tx.$executeRaw`
    INSERT INTO used_challenge (challenge, expires_at) VALUES (${bytes}, ${expiresAt}) ON CONFLICT DO NOTHING`;
  return used > 0;
}

function expiryOf(ticket: string): number {
  return Number.parseInt(ticket, 10) || 0;
}

function purposeOf(purpose: ChallengePurpose, ticket: string): string {
  const what = purpose.kind === 'use' ? 'use a passkey' : `add a passkey ${purpose.userId}`;
  return `${what} ${ticket}`;
}

function readHex(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'hex'));
}
