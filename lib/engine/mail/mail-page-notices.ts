import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { composePageMail, composePrivatePageMail } from '@/lib/domain/notices/page-notice-mail';
import { type PageNotice, summarizePageNotices } from '@/lib/domain/notices/write-page-notices';
import { lastingAddress, publicAddress } from '@/lib/domain/status-pages/public-address';
import { unsubscribeUrl } from '@/lib/domain/subscribers/subscription';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma, type StatusPage } from '@/lib/platform/db/generated/client';
import { type MailContent, queueMails } from '@/lib/platform/mail/queue-mail';
import { mailGathered, type NoticeSettings, PAGE_NOTICES } from './gather-notices';

/** Pages per poll; the next poll follows within a second. */
const PAGES = 10;
/** Mails per statement. */
const MAILS = 500;
/** For pages with a large number of subscribers; other pages and mail do not wait for them. */
const TIMEOUT_MS = 120_000;

type Page = Pick<
  StatusPage,
  | 'id'
  | 'organizationId'
  | 'name'
  | 'slug'
  | 'published'
  | 'visibility'
  | 'customDomain'
  | 'customDomainVerifiedAt'
>;

const COLUMNS = Prisma.sql`
  kind, subject_id AS "subjectId", title, status, message, monitors, starts_at AS "startsAt",
  ends_at AS "endsAt", occurred_at AS "occurredAt"`;

/** Mails gathered notices to the subscribers of public pages, in their languages; see `mailGathered`. */
export function mailDuePageNotices(
  services: Services & { log?: Logger },
  { groupSeconds, appUrl }: NoticeSettings,
): Promise<void> {
  const pace = { groupSeconds, limit: PAGES, timeout: TIMEOUT_MS };
  return mailGathered(services, PAGE_NOTICES, pace, async (tx, pageId, takeNotices) => {
    const page = await lockPage(tx, pageId);
    if (page === null) return;
    const notices = await dropDeleted(tx, await takeNotices<PageNotice>(COLUMNS));
    await queuePageMails(tx, services, { page, notices, appUrl });
  });
}

/** Locks a page, so that its notices are not split into two mails; null if another worker has. */
async function lockPage(tx: Transaction, pageId: string): Promise<Page | null> {
  const rows = await tx.$queryRaw<Page[]>`
    SELECT id, organization_id AS "organizationId", name, slug, published, visibility::text AS visibility, custom_domain AS "customDomain",
           custom_domain_verified_at AS "customDomainVerifiedAt"
      FROM status_page WHERE id = ${pageId} FOR NO KEY UPDATE SKIP LOCKED`;
  return rows[0] ?? null;
}

/** Notices of incidents deleted meanwhile are not mailed. */
async function dropDeleted(tx: Transaction, notices: PageNotice[]): Promise<PageNotice[]> {
  const ids = notices.filter(({ status }) => status !== null).map(({ subjectId }) => subjectId);
  const existing = await tx.incident.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true },
  });
  const known = new Set(existing.map(({ id }) => id));
  return notices.filter(({ status, subjectId }) => status === null || known.has(subjectId));
}

/** Queues nothing for a page that was unpublished meanwhile, or whose address is unknown. */
async function queuePageMails(
  tx: Transaction,
  services: Services,
  { page, notices, appUrl }: { page: Page; notices: PageNotice[]; appUrl: string | null },
): Promise<void> {
  const [address, lasting] = [publicAddress(page, appUrl), lastingAddress(page, appUrl)];
  if (!page.published || address === null || lasting === null) return;
  if (summarizePageNotices(notices).length === 0) return;
  const byLanguage = new Map<string, MailContent>();
  const named = { name: page.name, address };
  const compose = (language: string) =>
    page.visibility === 'public'
      ? composePageMail(notices, named, language)
      : composePrivatePageMail(named, language);
  const contentFor = (language: string) => {
    const content = byLanguage.get(language) ?? compose(language);
    byLanguage.set(language, content);
    return content;
  };
  const { organizationId } = page;
  let after = '';
  for (let hasMore = true; hasMore; ) {
    const subscribers = await tx.$queryRaw<{ id: string; email: string; language: string }[]>`
      SELECT id, email, language FROM page_subscriber
       WHERE page_id = ${page.id} AND confirmed_at IS NOT NULL AND id > ${after} ORDER BY id LIMIT ${MAILS}`;
    const mails = subscribers.map(({ id, email: to, language }) => {
      const own = { ...contentFor(language), unsubscribeUrl: unsubscribeUrl(services.keyring, lasting, id) };
      return { organizationId, kind: 'subscriber', to, content: own, isBulk: true };
    });
    await queueMails(tx, services, mails);
    after = subscribers.at(-1)?.id ?? after;
    hasMore = subscribers.length === MAILS;
  }
}
