import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { consumePasskey, type PasskeyUse } from '../passkeys/use-passkey';
import { recordForPerson } from '../record-for-person';
import { recoveryCodeUsedMail } from './factor-mails';
import { consumeRecoveryCode, countRecoveryCodes } from './recovery-codes';
import { findStep } from './totp';

/** What a person uses as their second factor: a code of their authenticator app, a recovery code, or a passkey. */
export type FactorProof = { code: string } | { passkey: PasskeyUse };

type Entry = { user: { id: string; email: string }; factor: FactorProof; address: string | null };

const TOTP_CODE = /^\d{6}$/;

/**
 * Whether it is the person's second factor; uses it up in the caller's transaction, so that it works once, also for two at
 * the same time. The use of a recovery code is logged in their organizations and mailed to them. The caller throttles guesses.
 */
export async function consumeSecondFactor(
  tx: Transaction,
  services: Services,
  { user, factor, address }: Entry,
): Promise<boolean> {
  if ('passkey' in factor) return (await consumePasskey(tx, services, factor.passkey, user.id)) !== null;
  const typed = factor.code.replace(/\s/g, '');
  if (TOTP_CODE.test(typed)) return consumeTotpCode(tx, services, user.id, typed);
  const now = services.clock.now();
  if (!(await consumeRecoveryCode(tx, { userId: user.id, code: typed, now }))) return false;
  const left = await countRecoveryCodes({ db: tx }, user.id);
  await recordForPerson(tx, services, {
    user,
    address,
    action: 'member.use-recovery-code',
    after: { recoveryCodesLeft: left },
    mail: recoveryCodeUsedMail(services.appUrl, left),
  });
  return true;
}

/** The last step is compared by the update itself: of two requests with one code, the second waits and finds it used. */
async function consumeTotpCode(
  tx: Transaction,
  { keyring, clock }: Services,
  userId: string,
  code: string,
): Promise<boolean> {
  const factor = await tx.totpFactor.findFirst({ where: { userId, confirmedAt: { not: null } } });
  if (factor === null) return false;
  const step = findStep(keyring.open(factor.secretSealed, totpOwner(userId)), code, clock.now());
  if (step === null) return false;
  const { count } = await tx.totpFactor.updateMany({
    where: { userId, OR: [{ lastStep: null }, { lastStep: { lt: step } }] },
    data: { lastStep: step },
  });
  return count > 0;
}

/** What the sealed secret of a person is bound to. */
export function totpOwner(userId: string): string {
  return `${userId}/totp`;
}

/** Logs a wrong second factor, used by somebody who had already proven something else. */
export async function recordWrongFactor(
  services: Services,
  { user, address }: Omit<Entry, 'factor'>,
): Promise<void> {
  await services.db.$transaction((tx) =>
    recordForPerson(tx, services, { user, address, action: 'member.fail-second-factor' }),
  );
}
