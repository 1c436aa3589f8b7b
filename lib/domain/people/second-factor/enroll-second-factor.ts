import { invalidState } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requireRecentFactor } from '@/lib/domain/context/recent-factor';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { lockPerson } from '../lock-person';
import { recordForPerson } from '../record-for-person';
import { appAddedMail, appRemovedMail, recoveryCodesReplacedMail } from './factor-mails';
import { startProtecting } from './first-factor';
import { readFactors } from './has-second-factor';
import { countRecoveryCodes, replaceRecoveryCodes } from './recovery-codes';
import { createTotpSecret, findStep } from './totp';
import { totpOwner } from './use-second-factor';

/** How long a secret that was shown waits for its first code. */
const SHOWN_MS = 3_600_000;

/**
 * The secret for the person's authenticator app, the same for an hour, so that it survives a reload of its page. It protects
 * nothing until `confirmEnrollment`. Throws VALIDATION_ERROR for a person who already has an app.
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
  /** The session in which it is set up, which continues. */
  keepSession?: string;
  address: string | null;
};

/**
 * Sets the app up, in the caller's transaction, if the code matches the secret of `beginEnrollment`; null for a wrong code. Returns new
 * recovery codes if it is the person's first second factor, which ends their other sessions and pending sign-ins. Logged and mailed. The
 * caller has checked that a person who has another second factor used it.
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
  const { hasFactor } = await readFactors(tx, userId, now);
  await tx.totpFactor.update({ where: { userId }, data: { confirmedAt: now, lastStep: step } });
  const codes = await startProtecting(tx, services, { userId, hadFactor: hasFactor, keepSession });
  const mail = appAddedMail(services.appUrl, { isFirst: !hasFactor });
  await recordForPerson(tx, services, { user, address, action: 'member.add-second-factor', mail });
  return codes;
}

/** The services, and the person in a session in which they used their second factor recently. */
type Confirmed = Services & Pick<OrganizationContext, 'actor'>;
type Change = { user: { id: string; email: string }; address: string | null };

/** When the person set up their authenticator app, null if they have none, and how many recovery codes still work. */
export async function readSecondFactor({ db }: Pick<Services, 'db'>, userId: string) {
  const factor = await db.totpFactor.findUnique({ where: { userId }, select: { confirmedAt: true } });
  return { since: factor?.confirmedAt ?? null, recoveryCodesLeft: await countRecoveryCodes({ db }, userId) };
}

/**
 * Removes the authenticator app; recovery codes go with the person's last second factor. Logged and mailed. Throws `SecondFactorNeeded`.
 */
export async function removeApp(services: Confirmed, { user, address }: Change): Promise<void> {
  requireRecentFactor(services);
  const now = services.clock.now();
  await services.db.$transaction(async (tx) => {
    await lockPerson(tx, user.id);
    const { count } = await tx.totpFactor.deleteMany({ where: { userId: user.id } });
    if (count === 0) return;
    const { hasFactor } = await readFactors(tx, user.id, now);
    if (!hasFactor) await tx.recoveryCode.deleteMany({ where: { userId: user.id } });
    const mail = appRemovedMail(services.appUrl, { isLast: !hasFactor });
    await recordForPerson(tx, services, { user, address, action: 'member.remove-second-factor', mail });
  });
}

/** Deletes all of them in the caller's transaction: authenticator app, passkeys and recovery codes; false if there are none. */
export async function deleteSecondFactor(tx: Transaction, userId: string): Promise<boolean> {
  await lockPerson(tx, userId);
  await tx.recoveryCode.deleteMany({ where: { userId } });
  const apps = await tx.totpFactor.deleteMany({ where: { userId } });
  const passkeys = await tx.passkey.deleteMany({ where: { userId } });
  return apps.count + passkeys.count > 0;
}

/**
 * New recovery codes, which replace the old ones. Logged and mailed. Throws VALIDATION_ERROR without a second factor, and
 * `SecondFactorNeeded`.
 */
export async function renewRecoveryCodes(services: Confirmed, { user, address }: Change): Promise<string[]> {
  requireRecentFactor(services);
  return services.db.$transaction(async (tx) => {
    await lockPerson(tx, user.id);
    const { hasFactor } = await readFactors(tx, user.id, services.clock.now());
    if (!hasFactor) throw invalidState('Set up a second factor first.');
    const codes = await replaceRecoveryCodes(tx, user.id);
    const mail = recoveryCodesReplacedMail(services.appUrl);
    await recordForPerson(tx, services, { user, address, action: 'member.replace-recovery-codes', mail });
    return codes;
  });
}

function alreadySetUp() {
  return invalidState('You already have an authenticator app. Remove it first to set up another one.');
}
