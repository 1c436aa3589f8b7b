import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { lastingAddress } from '@/lib/domain/status-pages/public-address';
import { doOwnedWork } from '@/lib/platform/db/claims';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { nowIfAny } from '@/lib/platform/db/moments';
import { queueMails } from '@/lib/platform/mail/queue-mail';
import { composeConfirmation, createConfirmationToken, hashToken } from '../confirmation-mail';

/** The kind of confirmation emails to imported addresses; indexes of `mail` contain it. */
export const IMPORT_MAIL = 'import-confirmation';

/** Confirmation emails that the imports of one organization send in a quarter of an hour, so that an import floods nobody. */
const MAX_MAILS = 50;
const WINDOW_MS = 15 * 60_000;
/** Organizations per call; the next call follows within seconds. */
const MAX_ORGANIZATIONS = 20;

type Waiting = {
  id: string;
  email: string;
  language: string;
  pageName: string;
  slug: string;
  customDomain: string | null;
  customDomainVerifiedAt: Date | null;
};

/**
 * Queues confirmation emails to imported addresses, the longest waiting first: for each organization at most 50 in 15 minutes. Those
 * wait that nobody could confirm, because the page is not published or has no URL, or email is off; the retention deletes them after 7 days. Concurrent workers take different organizations.
 */
export async function confirmImported(services: Services & { log?: Logger }): Promise<void> {
  const { db, clock, mail, log } = services;
  if (!mail.isOn) return;
  const since = new Date(clock.now().getTime() - WINDOW_MS);
  await doOwnedWork(db, {
    // Mails are counted while it is held, so that concurrent workers do not exceed the limit together.
    owners: 'organization',
    columns: Prisma.sql`id`,
    due: Prisma.sql`${toConfirm(services, since)} LIMIT ${MAX_ORGANIZATIONS}`,
    act: (tx, { id }) => confirmOf(tx, services, { owner: id, since }),
    onError: (id, error) =>
      log?.error({ organization: id, error: describeError(error) }, 'could not confirm imported subscribers'),
  });
}

function toConfirm(services: Pick<Services, 'appUrl'>, since: Date): Prisma.Sql {
  return Prisma.sql`
    WITH waiting AS (
      SELECT DISTINCT organization_id AS id
        FROM page_subscriber
        JOIN status_page AS page ON page.id = page_id
       WHERE ${isDue(services)}
    )
    SELECT id
      FROM waiting
     WHERE (${countMails(Prisma.sql`waiting.id`, since)}) < ${MAX_MAILS}`;
}

/** Now, while any organization has addresses to confirm and has not sent its share. */
export const confirmationsDueAt = (services: Pick<Services, 'appUrl'>, now: Date) =>
  nowIfAny(now, toConfirm(services, new Date(now.getTime() - WINDOW_MS)));

/** The address was imported and its page has a URL that it can confirm at. */
function isDue({ appUrl }: Pick<Services, 'appUrl'>): Prisma.Sql {
  const hasUrl = appUrl === null ? Prisma.sql`page.custom_domain_verified_at IS NOT NULL` : Prisma.sql`TRUE`;
  return Prisma.sql`awaits_email AND confirmed_at IS NULL AND page.published AND ${hasUrl}`;
}

function countMails(owner: Prisma.Sql, since: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT count(*)::int AS sent FROM mail
     WHERE kind = 'import-confirmation' AND organization_id = ${owner} AND created_at > ${since}`;
}

async function confirmOf(
  tx: Transaction,
  services: Services,
  { owner, since }: { owner: string; since: Date },
): Promise<void> {
  const [counted] = await tx.$queryRaw<{ sent: number }[]>(countMails(Prisma.sql`${owner}`, since));
  const waiting = await tx.$queryRaw<Waiting[]>`
    SELECT page_subscriber.id, email, language, page.name AS "pageName", slug, custom_domain AS "customDomain",
           custom_domain_verified_at AS "customDomainVerifiedAt"
      FROM page_subscriber JOIN status_page AS page ON page.id = page_id
     WHERE page.organization_id = ${owner} AND ${isDue(services)}
     ORDER BY number LIMIT ${Math.max(0, MAX_MAILS - (counted?.sent ?? 0))} FOR UPDATE OF page_subscriber SKIP LOCKED`;
  const asked = waiting.flatMap((subscriber) => {
    const address = lastingAddress(subscriber, services.appUrl);
    return address === null ? [] : { ...subscriber, address, token: createConfirmationToken() };
  });
  const ids = asked.map(({ id }) => id);
  const hashes = asked.map(({ token }) => Buffer.from(hashToken(token)).toString('hex'));
  await tx.$executeRaw`
    UPDATE page_subscriber AS subscriber
       SET awaits_email = false, token_hash = decode(asked.hash, 'hex'), requested_at = ${services.clock.now()}
      FROM unnest(${ids}::text[], ${hashes}::text[]) AS asked (id, hash) WHERE subscriber.id = asked.id`;
  const mails = asked.map(({ email, ...subscriber }) => ({
    organizationId: owner,
    kind: IMPORT_MAIL,
    to: email,
    content: composeConfirmation({ ...subscriber, isImported: true }),
    isBulk: true,
  }));
  await queueMails(tx, services, mails);
}
