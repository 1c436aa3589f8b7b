import { DomainError, invalidState } from '@/lib/core/errors';
import { labelActor, recordAudit } from '@/lib/domain/audit/record-audit';
import { type LiveMail, MAIL_SERVER_OWNER } from '@/lib/domain/context/live-mail';
import type { Actor, OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { requireRecentFactor } from '@/lib/domain/context/recent-factor';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import type { Mailbox } from '@/lib/schemas/email-address';
import { formatSender, type ShownMailServer } from '@/lib/schemas/mail-security';
import { type MailServerInput, mailServerUrl, showMailServer } from '@/lib/schemas/mail-server';
import { tryMailServer } from './try-mail-server';

/** What decides whether people may choose the mail server of this installation. */
export type Installation = {
  signUp: 'invite' | 'open';
  mail: Pick<LiveMail, 'isFixed' | 'fixedSender' | 'smtp' | 'refresh'>;
};

/** Someone who acts on the installation, not on the resources of their organization. */
export type InstallationContext = OrganizationContext & { installation: Installation };

/** Why the mail server cannot be changed in the browser: SMTP_URL decides, or others share this installation. */
export type MailServerLock = 'environment' | 'shared';

/** The mail server as its screen shows it. */
export type MailServerState = {
  /** Null: people can change it here. */
  lock: MailServerLock | null;
  /** The one in use; null: this service cannot send email. */
  server: ShownMailServer | null;
  /** When it was set in the browser or at the command line, and by whom; null: it was not. */
  set: { at: Date; by: string } | null;
};

/** What a mail server is and who may change it. Throws FORBIDDEN. */
export async function readMailServer(ctx: InstallationContext): Promise<MailServerState> {
  requirePermission(ctx, 'mail-server.change');
  const { installation } = ctx;
  const { smtp, isFixed } = installation.mail;
  const [row, organizations] = await Promise.all([
    ctx.db.mailServer.findUnique({ where: { id: 1 }, select: { updatedAt: true, updatedBy: true } }),
    ctx.db.organization.count(),
  ]);
  return {
    lock: lockOf(installation, organizations),
    server: smtp && showMailServer(smtp.url, smtp.from),
    set: row === null || isFixed ? null : { at: row.updatedAt, by: row.updatedBy },
  };
}

function lockOf({ signUp, mail }: Installation, organizations: number): MailServerLock | null {
  if (mail.isFixed) return 'environment';
  return signUp === 'invite' && organizations === 1 ? null : 'shared';
}

/**
 * The URL of a mail server that people entered. Without a password, it has the one that is stored for the same server and user: a stored
 * password is never sent anywhere else.
 */
export function completeUrl({ from: _, ...input }: MailServerInput, stored: string | null): string {
  if (input.password !== '' || input.user === '' || stored === null) return mailServerUrl(input);
  const password = decodeURIComponent(new URL(stored).password);
  const known = mailServerUrl({ ...input, password });
  const { host, username } = new URL(stored);
  const same = new URL(known);
  return same.host === host && same.username === username ? known : mailServerUrl(input);
}

type NewServer = { url: string; from: Mailbox };

/**
 * Sends a test email to `to` through a mail server that people entered, and has every process use it once that was accepted. Anyone who sets it
 * receives the reset links of everybody, so only the owner of the only organization may, with a recent second factor; the caller has asked those
 * without one for their password. Throws FORBIDDEN, and VALIDATION_ERROR where SMTP_URL decides, and with what the mail server said.
 */
export async function saveMailServer(
  ctx: InstallationContext,
  input: MailServerInput,
  { to, serviceName }: { to: string; serviceName: string },
): Promise<void> {
  await requireOpen(ctx, ctx.db);
  const { mail } = ctx.installation;
  const server = {
    url: completeUrl(input, mail.smtp?.url ?? null),
    from: mail.fixedSender ?? input.from,
  };
  const problem = await tryMailServer(ctx, { ...server, to, serviceName });
  if (problem !== null)
    throw invalidState(`Not saved: the test email was not sent. The mail server: ${problem}`);
  await changeMailServer(ctx, server);
}

/** Sets the mail server of this installation without a test; null: none. Throws as `saveMailServer` does. */
export async function changeMailServer(ctx: InstallationContext, server: NewServer | null): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await requireOpen(ctx, tx);
    await write(tx, ctx, server);
  });
  await ctx.installation.mail.refresh();
}

async function requireOpen(ctx: InstallationContext, db: Pick<Transaction, 'organization'>): Promise<void> {
  requirePermission(ctx, 'mail-server.change');
  requireRecentFactor(ctx);
  const lock = lockOf(ctx.installation, await db.organization.count());
  if (lock === 'environment')
    throw invalidState('SMTP_URL is set in the environment of this service, and is used instead.');
  if (lock === 'shared')
    throw new DomainError('FORBIDDEN', 'Only the operator of this service can do this, at the command line.');
}

/** The same at the command line, in every installation. It is recorded in the audit log of the only organization, if there is one. */
export async function changeMailServerByOperator(
  services: Services,
  server: NewServer | null,
): Promise<void> {
  await services.db.$transaction(async (tx) => {
    const [only, other] = await tx.organization.findMany({ select: { id: true }, take: 2 });
    const organizationId = only && !other ? only.id : null;
    await write(tx, { ...services, organizationId, actor: { kind: 'operator' } }, server);
  });
}

type Writer = Pick<Services, 'clock' | 'keyring'> & {
  organizationId: string | null;
  actor: Actor;
  address?: string | null;
};

async function write(tx: Transaction, ctx: Writer, server: NewServer | null): Promise<void> {
  const { clock, keyring, organizationId, actor } = ctx;
  const where = { id: 1 };
  const [stored] = await tx.$queryRaw<{ urlSealed: Uint8Array; address: string; name: string | null }[]>`
    SELECT url_sealed AS "urlSealed", sender_address AS address, sender_name AS name FROM mail_server FOR UPDATE`;
  const before = stored && { url: keyring.open(stored.urlSealed, MAIL_SERVER_OWNER), from: stored };
  if (server === null) await tx.mailServer.deleteMany({ where });
  else {
    const { actorLabel } = await labelActor(tx, actor);
    const data = {
      urlSealed: keyring.seal(server.url, MAIL_SERVER_OWNER),
      senderAddress: server.from.address,
      senderName: server.from.name,
      updatedAt: clock.now(),
      updatedBy: actorLabel,
    };
    await tx.mailServer.upsert({ where, create: { id: 1, ...data }, update: data });
  }
  if (organizationId !== null) {
    await recordAudit(
      tx,
      { ...ctx, organizationId },
      {
        action: 'mail-server.change',
        subject: { id: organizationId, label: 'Mail server' },
        before: before ? auditFields(before) : {},
        after: server === null ? {} : auditFields(server),
      },
    );
  }
  await notify(tx, 'pharos_mail_server');
  // Whether visitors can subscribe depends on it.
  await notePagesChanged(tx, 'all');
}

function auditFields({ url, from }: NewServer) {
  const { from: _, hasPassword, ...shown } = showMailServer(url, from);
  // Hidden in the log, which shows only that it changed.
  return { ...shown, password: hasPassword ? new URL(url).password : null, from: formatSender(from) };
}
