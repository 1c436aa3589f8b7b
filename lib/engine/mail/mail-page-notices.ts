import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { composePageMail, composePrivatePageMail } from '@/lib/domain/notices/page-notice-mail';
import {
  type PageNotice,
  selectNotices,
  summarizePageNotices,
} from '@/lib/domain/notices/write-page-notices';
import { lastingAddress, publicAddress } from '@/lib/domain/status-pages/public-address';
import { queueEndpointDeliveries } from '@/lib/domain/subscribers/endpoints/queue-deliveries';
import { unsubscribeUrl } from '@/lib/domain/subscribers/unsubscribe-link';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma, type StatusPage } from '@/lib/platform/db/generated/client';
import { type MailContent, queueMails } from '@/lib/platform/mail/queue-mail';
import { mailGathered, type NoticeSettings, PAGE_NOTICES, type TakeNotices } from './gather-notices';

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

const PAGE_COLUMNS = Prisma.sql`
  organization_id AS "organizationId", name, slug, published, visibility::text AS visibility,
  custom_domain AS "customDomain", custom_domain_verified_at AS "customDomainVerifiedAt"`;

const COLUMNS = Prisma.sql`
  kind, subject_id AS "subjectId", title, status, message, translations, is_automatic AS "isAutomatic",
  monitors, row_ids AS "rowIds", starts_at AS "startsAt", ends_at AS "endsAt", occurred_at AS "occurredAt"`;

/** Mails gathered notices to the subscribers of public pages, in their languages; see `mailGathered`. */
export function mailDuePageNotices(
  services: Services & { log?: Logger },
  { groupSeconds, appUrl }: NoticeSettings,
): Promise<void> {
  const mail = async (tx: Transaction, page: Page, takeNotices: TakeNotices) => {
    const notices = await dropDeleted(tx, await takeNotices<PageNotice>(COLUMNS));
    await queuePageMails(tx, services, { page, notices, appUrl });
  };
  const pace = { groupSeconds, limit: PAGES, timeoutMs: TIMEOUT_MS };
  return mailGathered<Page>(services, PAGE_NOTICES, { ...pace, columns: PAGE_COLUMNS, mail });
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
  const { organizationId } = page;
  const contentFor = contentsOf(notices, page, address);
  let after = '';
  for (let hasMore = true; hasMore; ) {
    const recipients = await chooseRecipients(tx, page.id, { notices, after });
    const mails = recipients.flatMap(({ id, email: to, language, rowIds }) => {
      const content = contentFor(language, rowIds);
      if (content === null) return [];
      const own = { ...content, unsubscribeUrl: unsubscribeUrl(services.keyring, lasting, id) };
      return { organizationId, kind: 'subscriber', to, content: own, isBulk: true };
    });
    await queueMails(tx, services, mails);
    after = recipients.at(-1)?.id ?? after;
    hasMore = recipients.length === MAILS;
  }
  const { id, name } = page;
  const isPublic = page.visibility === 'public';
  const now = services.clock.now();
  await queueEndpointDeliveries(tx, { id, name, address, isPublic }, { notices, now });
}

type Recipient = { id: string; email: string; language: string; rowIds: string[] };

/** The next confirmed subscribers by ID, without those who chose only rows that no notice affects. */
function chooseRecipients(
  tx: Transaction,
  pageId: string,
  { notices, after }: { notices: PageNotice[]; after: string },
): Promise<Recipient[]> {
  const affected = [...new Set(notices.flatMap(({ rowIds }) => rowIds))];
  const isForAll = notices.some(({ rowIds }) => rowIds.length === 0);
  return tx.$queryRaw`
    SELECT id, email, language, row_ids AS "rowIds" FROM page_subscriber
     WHERE page_id = ${pageId} AND confirmed_at IS NOT NULL AND id > ${after}
       AND (${isForAll} OR row_ids = '{}' OR row_ids && ${affected})
     ORDER BY id LIMIT ${MAILS}`;
}

/** Composes each mail once for all who chose the same; null if there is nothing to notify of. */
function contentsOf(notices: PageNotice[], { name, visibility }: Page, address: string) {
  const named = { name, address };
  const compose = (own: PageNotice[], language: string) =>
    visibility === 'public' ? composePageMail(own, named, language) : composePrivatePageMail(named, language);
  const composed = new Map<string, MailContent | null>();
  return (language: string, rowIds: readonly string[]): MailContent | null => {
    const own = selectNotices(notices, rowIds);
    const key = [language, ...own.map((notice) => notices.indexOf(notice))].join();
    const known = composed.get(key);
    if (known !== undefined) return known;
    const content = summarizePageNotices(own).length === 0 ? null : compose(own, language);
    composed.set(key, content);
    return content;
  };
}
