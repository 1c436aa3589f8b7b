import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
import { DomainError, invalidState } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import type { NewPasskeyResponse } from '@/lib/schemas/sign-in/passkeys';
import { lockPerson } from '../lock-person';
import { recordForPerson } from '../record-for-person';
import { startProtecting } from '../second-factor/first-factor';
import { readFactors } from '../second-factor/has-second-factor';
import { CHALLENGE_SECONDS, consumeChallenge, createChallenge, isChallenge } from './challenges';
import { passkeyAddedMail } from './passkey-mails';
import { requireRelyingParty, verify } from './use-passkey';

/** At most this many per user. */
export const MAX_PASSKEYS = 20;

type User = { id: string; email: string };

/**
 * What a browser needs to create a passkey of a user, and the ticket for its cookie. Throws VALIDATION_ERROR if the service has no
 * passkeys, or the user has too many.
 */
export async function beginPasskey(
  services: Services & { serviceName: string },
  user: User & { name: string | null },
) {
  const { id: rpID } = requireRelyingParty(services);
  const own = await services.db.passkey.findMany({ where: { userId: user.id } });
  if (own.length >= MAX_PASSKEYS) throw tooMany();
  const { challenge, ticket } = createChallenge(services, { kind: 'add', userId: user.id });
  const options = await generateRegistrationOptions({
    rpID,
    rpName: services.serviceName,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name ?? user.email,
    challenge,
    timeout: CHALLENGE_SECONDS * 1000,
    excludeCredentials: own.map(({ credentialId, transports }) => ({
      id: isoBase64URL.fromBuffer(credentialId),
      transports,
    })),
    // To sign in with it alone, browsers must find it without a name, and it must be both factors.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { options, ticket };
}

type Addition = {
  user: User;
  response: NewPasskeyResponse;
  ticket: string;
  name: string;
  /** The session in which it is added, which continues. */
  keepSession?: string;
  address: string | null;
};

/**
 * Adds a passkey in the caller's transaction, and returns new recovery codes if it is the user's first second factor, which ends their
 * other sessions and pending sign-ins. Logged and mailed. Throws VALIDATION_ERROR for a response to anything but the challenge, for
 * a known passkey and for too many. The caller has checked that a user who has a second factor used it.
 */
export async function addPasskey(
  tx: Transaction,
  services: Services,
  { user, response, ticket, name, keepSession, address }: Addition,
): Promise<string[]> {
  const [party, now] = [requireRelyingParty(services), services.clock.now()];
  await lockPerson(tx, user.id);
  const purpose = { kind: 'add', userId: user.id } as const;
  let signed = '';
  const verified = await verify(async () => {
    if (!isPlain(response)) return null;
    return verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => {
        signed = challenge;
        return isChallenge(services, { purpose, ticket, challenge });
      },
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    });
  });
  if (!verified?.verified || !(await consumeChallenge(tx, { ticket, challenge: signed }))) throw refused();
  const { credential, credentialDeviceType, credentialBackedUp } = verified.registrationInfo;
  const { hasFactor } = await readFactors(tx, user.id, now);
  if ((await tx.passkey.count({ where: { userId: user.id } })) >= MAX_PASSKEYS) throw tooMany();
  const row = {
    id: createId('passkey'),
    userId: user.id,
    credentialId: new Uint8Array(Buffer.from(credential.id, 'base64url')),
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports: response.response.transports ?? [],
    isSynced: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
    name,
    createdAt: now,
  };
  const { count } = await tx.passkey.createMany({ data: [row], skipDuplicates: true });
  if (count === 0) throw invalidState('This passkey is already registered.');
  const codes = await startProtecting(tx, services, { userId: user.id, hadFactor: hasFactor, keepSession });
  const mail = passkeyAddedMail(services.appUrl, { name, isFirst: !hasFactor });
  const after = { passkey: name };
  await recordForPerson(tx, services, { user, address, action: 'member.add-passkey', after, mail });
  return codes;
}

/**
 * Whether the response names no certificates of the device's manufacturer, which were not asked for: checking them would send requests to
 * addresses that they contain.
 */
export function isPlain({ response }: NewPasskeyResponse): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

function refused() {
  return new DomainError('VALIDATION_ERROR', 'The passkey could not be added. Try again.');
}

function tooMany() {
  return invalidState(`You have the maximum of ${MAX_PASSKEYS} passkeys. Remove one first.`);
}
