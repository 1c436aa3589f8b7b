import { invalidState } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requireRecentFactor } from '@/lib/domain/context/recent-factor';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { recordForPerson } from '../record-for-person';
import { endSessionsOf } from '../sessions';
import { endPendingSignInsOf } from '../sign-in/pending-sign-ins';
import { factorAddedMail, factorRemovedMail, recoveryCodesReplacedMail } from './factor-mails';
import { countRecoveryCodes, replaceRecoveryCodes } from './recovery-codes';
import { createTotpSecret, findStep } from './totp';
import { totpOwner } from './use-second-factor';

/** How long a secret that was shown waits for its first code. */
const SHOWN_MS = 3_600_000;

/**
 * The secret for the person's authenticator app, the same for an hour, so that it survives a reload of its page. It protects
 * nothing until `confirmEnrollment`. Throws VALIDATION_ERROR for a person who already has one.
 */
export async function beginEnrollment(services: Services, userId: string): Promise<string> {
  const now = services.clock.now();
  return services.db.$transaction(async (tx) => {
    await lockPerson(tx, userId);
    const found = await tx.totpFactor.findUnique({ where: { userId } });
    if (found?.confirmedAt) throw alreadySetUp();
    if (found && now.getTime() - found.createdAt.getTime() < SHOWN_MS) {
      return services.keyring.open(found.secretSealed, totpOwner(userId));
    }
    const secret = createTotpSecret();
    const row = { secretSealed: services.keyring.seal(secret, totpOwner(userId)), createdAt: now };
    await tx.totpFactor.upsert({ where: { userId }, create: { userId, ...row }, update: row });
    return secret;
  });
}

type Enrollment = {
  user: { id: string; email: string };
  /** A code of the authenticator app. */
  code: string;
  /** The session in which it is set up, which continues; all others end, because they had no second factor. */
  keepSession?: string;
  address: string | null;
};

/**
 * Turns the second factor on, in the caller's transaction, if the code matches the secret of `beginEnrollment`, and returns the
 * recovery codes; null for a wrong code. Ends the person's other sessions and pending sign-ins. Logged and mailed.
 */
export async function confirmEnrollment(
  tx: Transaction,
  services: Services,
  { user, code, keepSession, address }: Enrollment,
): Promise<string[] | null> {
  const [userId, now] = [user.id, services.clock.now()];
  await lockPerson(tx, userId);
  const found = await tx.totpFactor.findUnique({ where: { userId } });
  if (found?.confirmedAt) throw alreadySetUp();
  if (found === null) throw invalidState('This page is out of date. Reload it.');
  const secret = services.keyring.open(found.secretSealed, totpOwner(userId));
  const step = findStep(secret, code.replace(/\s/g, ''), now);
  if (step === null) return null;
  await tx.totpFactor.update({ where: { userId }, data: { confirmedAt: now, lastStep: step } });
  const codes = await replaceRecoveryCodes(tx, userId);
  await endSessionsOf(tx, userId, { except: keepSession });
  if (keepSession) await tx.session.update({ where: { id: keepSession }, data: { secondFactorAt: now } });
  await endPendingSignInsOf(tx, userId);
  const mail = factorAddedMail(services.appUrl);
  await recordForPerson(tx, services, { user, address, action: 'member.add-second-factor', mail });
  return codes;
}

/** The services, and the person in a session in which they used their second factor recently. */
type Confirmed = Services & Pick<OrganizationContext, 'actor'>;
type Change = { user: { id: string; email: string }; address: string | null };

/** When the person set up their second factor, null if they have none, and how many recovery codes still work. */
export async function readSecondFactor({ db }: Pick<Services, 'db'>, userId: string) {
  const factor = await db.totpFactor.findUnique({ where: { userId }, select: { confirmedAt: true } });
  return { since: factor?.confirmedAt ?? null, recoveryCodesLeft: await countRecoveryCodes({ db }, userId) };
}

/** Turns the second factor off: authenticator app and recovery codes. Logged and mailed. Throws `SecondFactorNeeded`. */
export async function removeSecondFactor(services: Confirmed, { user, address }: Change): Promise<void> {
  requireRecentFactor(services);
  await services.db.$transaction(async (tx) => {
    if (!(await deleteSecondFactor(tx, user.id))) return;
    const mail = factorRemovedMail(services.appUrl);
    await recordForPerson(tx, services, { user, address, action: 'member.remove-second-factor', mail });
  });
}

/** Deletes them in the caller's transaction; false if there are none. */
export async function deleteSecondFactor(tx: Transaction, userId: string): Promise<boolean> {
  await lockPerson(tx, userId);
  await tx.recoveryCode.deleteMany({ where: { userId } });
  return (await tx.totpFactor.deleteMany({ where: { userId } })).count > 0;
}

/**
 * New recovery codes, which replace the old ones. Logged and mailed. Throws VALIDATION_ERROR without a second factor, and
 * `SecondFactorNeeded`.
 */
export async function renewRecoveryCodes(services: Confirmed, { user, address }: Change): Promise<string[]> {
  requireRecentFactor(services);
  return services.db.$transaction(async (tx) => {
    await lockPerson(tx, user.id);
    const where = { userId: user.id, confirmedAt: { not: null } };
    if ((await tx.totpFactor.count({ where })) === 0) throw invalidState('Set up a second factor first.');
    const codes = await replaceRecoveryCodes(tx, user.id);
    const mail = recoveryCodesReplacedMail(services.appUrl);
    await recordForPerson(tx, services, { user, address, action: 'member.replace-recovery-codes', mail });
    return codes;
  });
}

/** Sign-ins lock the person as well: a session is created before a change here, which ends it, or after it. */
async function lockPerson(tx: Transaction, userId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM "user" WHERE id = ${userId} FOR NO KEY UPDATE`;
}

function alreadySetUp() {
  return invalidState('You already have a second factor. Remove it first to set up another one.');
}
