import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { invalidState } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import type { PasskeyResponse } from '@/lib/schemas/sign-in/passkeys';
import { lockPerson } from '../lock-person';
import { CHALLENGE_SECONDS, consumeChallenge, createChallenge, isChallenge } from './challenges';
import { type RelyingParty, readRelyingParty } from './relying-party';

/** What a browser returned, and the ticket of its challenge. */
export type PasskeyUse = { response: PasskeyResponse; ticket: string };

type Web = Pick<Services, 'appUrl' | 'keyring' | 'clock'>;

/** Where passkeys work. Throws VALIDATION_ERROR if this service has none. */
export function requireRelyingParty({ appUrl }: Pick<Services, 'appUrl'>): RelyingParty {
  const found = readRelyingParty(appUrl);
  if (typeof found === 'string') throw invalidState('Passkeys are not available on this service.');
  return found;
}

/** What a browser needs to ask for any passkey of this service, and the ticket for its cookie. Throws like `requireRelyingParty`. */
export async function beginPasskeyUse(services: Web) {
  const { id: rpID } = requireRelyingParty(services);
  const { challenge, ticket } = createChallenge(services, { kind: 'use' });
  const timeout = CHALLENGE_SECONDS * 1000;
  const settings = { rpID, challenge, timeout, userVerification: 'required' } as const;
  return { options: await generateAuthenticationOptions(settings), ticket };
}

/**
 * Whose passkey has signed the challenge, in the caller's transaction; null if it is unknown, removed, not one of `userId`, or if anything
 * about the signature is wrong. Uses the challenge up: of several uses, only one counts. Locks the user.
 */
export async function consumePasskey(
  tx: Transaction,
  services: Web,
  { response, ticket }: PasskeyUse,
  userId?: string,
): Promise<string | null> {
  const party = requireRelyingParty(services);
  const where = { credentialId: new Uint8Array(Buffer.from(response.id, 'base64url')) };
  const owner = await tx.passkey.findUnique({ where, select: { userId: true } });
  if (owner === null || (userId !== undefined && owner.userId !== userId)) return null;
  await lockPerson(tx, owner.userId);
  const passkey = await tx.passkey.findUnique({ where });
  if (passkey === null) return null;
  let signed = '';
  const verified = await verify(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => {
        signed = challenge;
        return isChallenge(services, { purpose: { kind: 'use' }, ticket, challenge });
      },
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id: response.id, publicKey: passkey.publicKey, counter: Number(passkey.counter) },
    }),
  );
  if (!verified?.verified || !(await consumeChallenge(tx, { ticket, challenge: signed }))) return null;
  const { newCounter, credentialBackedUp } = verified.authenticationInfo;
  await tx.passkey.update({
    where,
    data: { counter: newCounter, isBackedUp: credentialBackedUp, lastUsedAt: services.clock.now() },
  });
  return passkey.userId;
}

/** The library throws for whatever does not match: another origin, a wrong challenge, a counter that went back, malformed bytes. */
export async function verify<T>(run: () => Promise<T>): Promise<T | null> {
  try {
    return await run();
  } catch {
    return null;
  }
}
