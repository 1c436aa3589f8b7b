import { DomainError, requireFound } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import { hashPassword, verifyPassword } from '@/lib/domain/organizations/password';
import type { Transaction } from '@/lib/platform/db/client';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { passwordChangedMail, resetMail } from './account-mails';
import {
  consumeToken,
  endResetLinks,
  HANDED_LINK_MS,
  issueToken,
  MAILED_LINK_MS,
  mailedLinkBase,
  mayResetPassword,
  readToken,
  requireAuthorityToReset,
} from './one-time-links';
import { recordForPerson } from './record-for-person';
import { readFactors } from './second-factor/has-second-factor';
import { consumeSecondFactor, type FactorProof } from './second-factor/use-second-factor';
import { endSessionsOf } from './sessions';
import { endPendingSignInsOf } from './sign-in/pending-sign-ins';
import { readSignInFacts } from './sign-in/read-sign-in-facts';

const KIND = 'password_reset';
const PATH = '/reset-password?token=';

type Change = {
  user: { id: string; email: string };
  passwordHash: string;
  /** The user's current session, which is kept; all others end. */
  keepSession?: string;
  address: string | null;
};

/**
 * Sets a user's password in the caller's transaction: ends their sessions and pending sign-ins, revokes their reset links, logs it in each of their
 * organizations, and notifies them by email.
 */
async function setPassword(
  tx: Transaction,
  services: Services,
  { user, passwordHash, keepSession, address }: Change,
): Promise<void> {
  const updatedAt = services.clock.now();
  await tx.user.update({ where: { id: user.id }, data: { passwordHash, updatedAt } });
  await endSessionsOf(tx, user.id, { except: keepSession });
  await endPendingSignInsOf(tx, user.id);
  await endResetLinks(tx, user.id);
  const mail = passwordChangedMail(mailedLinkBase(services));
  const after = { password: 'new' };
  await recordForPerson(tx, services, { user, address, action: 'member.reset-password', after, mail });
}

type PasswordChange = { userId: string; sessionId: string; newPassword: string; address: string | null };

/** True if this is the user's password, otherwise null, as a throttle's `guard` expects. */
export async function checkOwnPassword(
  { db }: Pick<Services, 'db'>,
  userId: string,
  password: string,
): Promise<true | null> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { passwordHash: true } });
  return (await verifyPassword(user?.passwordHash ?? null, password)) ? true : null;
}

/** The error for a wrong current password. */
export function wrongPassword(): DomainError {
  const details = [{ path: 'currentPassword', code: 'wrong', message: 'is incorrect' }];
  return new DomainError('VALIDATION_ERROR', 'The current password is incorrect.', details);
}

/** Changes the user's password and ends all their other sessions. The caller has verified the current password. */
export async function changePassword(
  services: Services,
  { userId, sessionId, newPassword, address }: PasswordChange,
): Promise<void> {
  const passwordHash = await hashPassword(newPassword);
  await services.db.$transaction(async (tx) => {
    const select = { id: true, email: true };
    const user = await tx.user.findUniqueOrThrow({ where: { id: userId }, select });
    await setPassword(tx, services, { user, passwordHash, keepSession: sessionId, address });
  });
}

/**
 * Whose password a link resets, and their second factors, one of which is then requested. Throws NOT_FOUND with a message for
 * the holder of the link.
 */
export async function readPasswordReset({ db, clock }: Services, token: string) {
  const found = await readToken(db, { kind: KIND, token, now: clock.now() });
  await requireAuthorityToReset(db, found);
  const { email, userId } = found;
  const factors = await readFactors(db, userId ?? '', clock.now());
  return { userId: userId ?? '', email, ...factors };
}

type Reset = { token: string; password: string; factor?: FactorProof; address: string | null };

/**
 * Sets a new password with a link, which is used up, and ends all sessions of the user. Returns the address, for resetting the
 * throttle; null if the user has a second factor, and it is wrong or missing. Throws NOT_FOUND with a message for the holder
 * of the link.
 */
export async function resetPassword(
  services: Services,
  { token, password, factor = { code: '' }, address }: Reset,
): Promise<{ email: string } | null> {
  // Check the link before the expensive hash.
  await readPasswordReset(services, token);
  const passwordHash = await hashPassword(password);
  return services.db.$transaction(async (tx) => {
    const now = services.clock.now();
    const link = await readToken(tx, { kind: KIND, token, now });
    await requireAuthorityToReset(tx, link);
    const { email, userId } = link;
    const person = await readSignInFacts(tx, userId ?? '', now);
    if (userId === null || person?.email !== email) {
      throw new DomainError('NOT_FOUND', 'This link is for another address. Request a new one.');
    }
    const user = { id: userId, email };
    if (person.hasFactor && !(await consumeSecondFactor(tx, services, { user, factor, address })))
      return null;
    await consumeToken(tx, { kind: KIND, token, now });
    await setPassword(tx, services, { user, passwordHash, address });
    return { email };
  });
}

/** A link to hand to the user; `path` starts with `/`. */
type PasswordReset = { path: string; expiresAt: Date };

/** `handedOutIn`: the organization of the admin who hands the link out; null: the operator does. */
type Person = { id: string; email: string; organizationIds: string[]; handedOutIn: string | null };

/**
 * Creates a password reset link for an admin to hand to a member; it replaces an older one. Because the link gives access to
 * the whole account, the member's role must not be higher and they must not belong to another organization; both are checked
 * again when the link is used. Throws FORBIDDEN and NOT_FOUND.
 */
export async function createPasswordReset(ctx: OrganizationContext, userId: string): Promise<PasswordReset> {
  requirePermission(ctx, 'member.reset-password');
  return ctx.db.$transaction(async (tx) => {
    const memberships = await tx.membership.findMany({ where: { userId }, include: { user: true } });
    const found = memberships.find(({ organizationId }) => organizationId === ctx.organizationId);
    const own = requireFound(found, 'Member');
    if (ctx.actor.kind === 'user' && !mayResetPassword(ctx.actor.role, own.role)) {
      throw new DomainError('FORBIDDEN', `Only an ${own.role} can reset the password of an ${own.role}.`);
    }
    if (memberships.length > 1) {
      throw new DomainError(
        'FORBIDDEN',
        'This user also belongs to another organization, so you cannot reset their password. They can request a link on the sign-in page, or the operator of this service can create one.',
      );
    }
    const { email } = own.user;
    const { organizationId } = ctx;
    const person = { id: userId, email, organizationIds: [organizationId], handedOutIn: organizationId };
    return issueReset(tx, ctx, ctx.actor, person);
  });
}

/** The same at the command line, for any user. Throws NOT_FOUND. */
export async function createPasswordResetByOperator(
  services: Services,
  email: string,
): Promise<PasswordReset> {
  return services.db.$transaction(async (tx) => {
    const found = await tx.user.findUnique({ where: { email }, include: { memberships: true } });
    const user = requireFound(found, `User ${email}`);
    const organizationIds = user.memberships.map(({ organizationId }) => organizationId);
    const person = { id: user.id, email, organizationIds, handedOutIn: null };
    return issueReset(tx, services, { kind: 'operator' }, person);
  });
}

async function issueReset(
  tx: Transaction,
  { clock, address }: Pick<OrganizationContext, 'clock' | 'address'>,
  actor: OrganizationContext['actor'],
  { id, email, organizationIds, handedOutIn }: Person,
): Promise<PasswordReset> {
  const createdBy = actor.kind === 'user' ? actor.userId : null;
  await endResetLinks(tx, id);
  const { token, expiresAt } = await issueToken(
    tx,
    { kind: KIND, email, userId: id, organizationId: handedOutIn, createdBy },
    { now: clock.now(), lifetimeMs: HANDED_LINK_MS },
  );
  for (const organizationId of organizationIds) {
    const ctx = { organizationId, actor, clock, address };
    const [subject, after] = [{ id, label: email }, { linkExpiresAt: expiresAt.toISOString() }];
    await recordAudit(tx, ctx, { action: 'member.reset-password', subject, after });
  }
  return { path: PATH + token, expiresAt };
}

/**
 * Mails a password reset link, which replaces an older one, if the address has an account. Respond to the request before this
 * runs, so that neither text nor timing reveals whether the account exists. Does nothing if links cannot be mailed
 * (`mailedLinkBase`).
 */
export async function requestPasswordReset(services: Services, email: string): Promise<void> {
  const base = mailedLinkBase(services);
  if (base === null) return;
  const user = await services.db.user.findUnique({ where: { email }, select: { id: true } });
  if (user === null) return;
  await services.db.$transaction(async (tx) => {
    await endResetLinks(tx, user.id);
    const [now, lifetimeMs] = [services.clock.now(), MAILED_LINK_MS];
    const { token } = await issueToken(tx, { kind: KIND, email, userId: user.id }, { now, lifetimeMs });
    const content = resetMail(base + PATH + token);
    await queueMail(tx, services, { organizationId: null, kind: 'password-reset', to: email, content });
  });
}
