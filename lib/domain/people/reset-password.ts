import { DomainError } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import { hashPassword } from '@/lib/domain/organizations/password';
import type { Transaction } from '@/lib/platform/db/client';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { resetMail } from './account-mails';
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
  resetPasswordPath,
} from './one-time-links';
import { setPassword } from './set-password';

const KIND = 'password_reset';

/** Whose password the link resets, for the page it opens. Throws NOT_FOUND, in words, for a link that is not good. */
export async function readPasswordReset({ db, clock }: Services, token: string): Promise<{ email: string }> {
  const found = await readToken(db, { kind: KIND, token, now: clock.now() });
  await requireAuthorityToReset(db, found);
  return { email: found.email };
}

/**
 * Sets a new password by a link, which is used up; all sessions of the person end. Answers the address, for the throttle to
 * forgive. Throws NOT_FOUND, in words for who holds the link.
 */
export async function resetPassword(
  services: Services,
  { token, password, address }: { token: string; password: string; address: string | null },
): Promise<{ email: string }> {
  // A link that is not good costs no hash.
  await readPasswordReset(services, token);
  const passwordHash = await hashPassword(password);
  return services.db.$transaction(async (tx) => {
    const used = await consumeToken(tx, { kind: KIND, token, now: services.clock.now() });
    await requireAuthorityToReset(tx, used);
    const { email, userId } = used;
    const user = await tx.user.findUnique({ where: { id: userId ?? '' }, select: { id: true, email: true } });
    if (user === null || user.email !== email) {
      throw new DomainError('NOT_FOUND', 'This link was made for another address. Ask for a new one.');
    }
    await setPassword(tx, services, { user, passwordHash, address });
    return { email };
  });
}

/** A link to hand to the person; `path` begins with `/`, for the address under which they reach the app. */
type PasswordReset = { path: string; expiresAt: Date };

/** `handedOutIn`: the organization whose member hands the link out; null: the operator does. */
type Person = { id: string; email: string; organizationIds: string[]; handedOutIn: string | null };

/**
 * Makes a link with which a member sets a new password, for an admin to hand over. Whoever has the link has the account:
 * so only for members whose role is not above the admin's, and who belong to no other organization, for that is not the
 * admin's to open. All of this is judged again when the link is used. An older link ends. Throws FORBIDDEN and NOT_FOUND.
 */
export async function createPasswordReset(ctx: OrganizationContext, userId: string): Promise<PasswordReset> {
  requirePermission(ctx, 'member.reset-password');
  return ctx.db.$transaction(async (tx) => {
    const memberships = await tx.membership.findMany({ where: { userId }, include: { user: true } });
    const own = memberships.find(({ organizationId }) => organizationId === ctx.organizationId);
    if (own === undefined) throw new DomainError('NOT_FOUND', 'Member not found.');
    if (ctx.actor.kind === 'user' && !mayResetPassword(ctx.actor.role, own.role)) {
      throw new DomainError('FORBIDDEN', `Only an ${own.role} can reset the password of an ${own.role}.`);
    }
    if (memberships.length > 1) {
      throw new DomainError(
        'FORBIDDEN',
        'This person belongs to another organization as well, so their account is not yours to open. They can ask for a link on the sign-in page, or the operator of this service makes one.',
      );
    }
    const { email } = own.user;
    const { organizationId } = ctx;
    const person = { id: userId, email, organizationIds: [organizationId], handedOutIn: organizationId };
    return issueReset(tx, ctx, ctx.actor, person);
  });
}

/** The same at the command line, for anybody. Throws NOT_FOUND. */
export async function createPasswordResetByOperator(
  services: Services,
  email: string,
): Promise<PasswordReset> {
  return services.db.$transaction(async (tx) => {
    const user = await tx.user.findUnique({ where: { email }, include: { memberships: true } });
    if (user === null) throw new DomainError('NOT_FOUND', `There is no user with the address ${email}.`);
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
    { kind: 'password_reset', email, userId: id, organizationId: handedOutIn, createdBy },
    { now: clock.now(), lifetimeMs: HANDED_LINK_MS },
  );
  for (const organizationId of organizationIds) {
    await recordAudit(
      tx,
      { organizationId, actor, clock, address },
      {
        action: 'member.reset-password',
        subject: { id, label: email },
        after: { linkExpiresAt: expiresAt.toISOString() },
      },
    );
  }
  return { path: resetPasswordPath(token), expiresAt };
}

/**
 * Mails the person of this address a link to a new password; an older one is worth nothing from then on. An address
 * without an account gets nothing: answer the one who asks before this runs, so that neither words nor time tell them
 * apart. Does nothing where no link can be mailed (`mailedLinkBase`).
 */
export async function requestPasswordReset(services: Services, email: string): Promise<void> {
  const base = mailedLinkBase(services);
  if (base === null) return;
  const user = await services.db.user.findUnique({ where: { email }, select: { id: true } });
  if (user === null) return;
  await services.db.$transaction(async (tx) => {
    await endResetLinks(tx, user.id);
    const subject = { kind: 'password_reset' as const, email, userId: user.id };
    const { token } = await issueToken(tx, subject, {
      now: services.clock.now(),
      lifetimeMs: MAILED_LINK_MS,
    });
    const content = resetMail(base + resetPasswordPath(token));
    await queueMail(tx, services, { organizationId: null, kind: 'password-reset', to: email, content });
  });
}
