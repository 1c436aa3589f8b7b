import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { composePageMail } from '@/lib/domain/notices/page-notice-mail';
import { type PageNotice, summarizePageNotices } from '@/lib/domain/notices/write-page-notices';
import { lastingAddress, publicAddress } from '@/lib/domain/status-pages/public-address';
import { unsubscribeUrl } from '@/lib/domain/subscribers/subscription';
import type { Transaction } from '@/lib/platform/db/client';
import type { StatusPage } from '@/lib/platform/db/generated/client';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { queueMails } from '@/lib/platform/mail/queue-mail';
import { mailOrDrop, type NoticeSettings } from './mail-notices';

/** Pages at a look; the next look follows within a second. */
const PAGES = 10;
/** Mails in a statement. */
const MAILS = 500;
/** For a page with very many subscribers; other pages and other mail do not wait for it. */
const TIMEOUT_MS = 120_000;

type Page = Pick<
  StatusPage,
  'organizationId' | 'name' | 'slug' | 'published' | 'customDomain' | 'customDomainVerifiedAt'
>;

/**
 * Tells subscribers of public pages what has been gathered for long enough: one mail to each subscriber of a page, in the
 * language of the subscription. Notices
 * are marked and mails written in one transaction, so that each notice is told exactly once, whoever dies meanwhile.
 */
export async function mailDuePageNotices(
  services: Services & { log?: Logger },
  { groupSeconds, appUrl }: NoticeSettings,
): Promise<void> {
  const { db, clock } = services;
  const gatheredSince = new Date(clock.now().getTime() - groupSeconds * 1000);
  const due = await db.$queryRaw<{ pageId: string }[]>`
    SELECT DISTINCT page_id AS "pageId" FROM page_notice
     WHERE mailed_at IS NULL AND occurred_at <= ${gatheredSince} LIMIT ${PAGES}`;
  for (const { pageId } of due) {
    const mailNotices = async (tx: Transaction) => {
      const page = await holdPage(tx, pageId);
      if (page === null) return;
      const taken = await takeNotices(tx, { pageId, gatheredSince, now: clock.now() });
      await queuePageMails(tx, services, { page, pageId, notices: await dropDeleted(tx, taken), appUrl });
    };
    await mailOrDrop(() => db.$transaction(mailNotices, { timeout: TIMEOUT_MS }), {
      drop: () => db.$transaction((tx) => takeNotices(tx, { pageId, gatheredSince, now: clock.now() })),
      subject: { statusPage: pageId },
      log: services.log,
    });
  }
}

/**
 * Keeps other workers from the page's notices: two at once would cut what belongs into one mail into two. Null where
 * another one is at it. Notices and subscribers can still be written.
 */
async function holdPage(tx: Transaction, pageId: string): Promise<Page | null> {
  const rows = await tx.$queryRaw<Page[]>`
    SELECT organization_id AS "organizationId", name, slug, published, custom_domain AS "customDomain",
           custom_domain_verified_at AS "customDomainVerifiedAt"
      FROM status_page WHERE id = ${pageId} FOR NO KEY UPDATE SKIP LOCKED`;
  return rows[0] ?? null;
}

/** Marks all that waits for a page, if some of it has waited long enough, and answers it in order. */
function takeNotices(
  tx: Transaction,
  { pageId, gatheredSince, now }: { pageId: string; gatheredSince: Date; now: Date },
): Promise<PageNotice[]> {
  return tx.$queryRaw<PageNotice[]>`
    WITH taken AS (
      UPDATE page_notice SET mailed_at = ${now}
       WHERE page_id = ${pageId} AND mailed_at IS NULL
         AND EXISTS (SELECT FROM page_notice WHERE page_id = ${pageId} AND mailed_at IS NULL
                        AND occurred_at <= ${gatheredSince})
      RETURNING *
    )
    SELECT kind, subject_id AS "subjectId", title, status, message, monitors, starts_at AS "startsAt",
           ends_at AS "endsAt", occurred_at AS "occurredAt"
      FROM taken ORDER BY id`;
}

/** Who deletes an incident takes back what was not told of it yet. */
async function dropDeleted(tx: Transaction, notices: PageNotice[]): Promise<PageNotice[]> {
  const ids = notices.filter(({ status }) => status !== null).map(({ subjectId }) => subjectId);
  const there = await tx.incident.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true },
  });
  const known = new Set(there.map(({ id }) => id));
  return notices.filter(({ status, subjectId }) => status === null || known.has(subjectId));
}

/** A page that was hidden meanwhile tells nothing; nor does one whose address the service does not know. */
async function queuePageMails(
  tx: Transaction,
  services: Services,
  told: { page: Page; pageId: string; notices: PageNotice[]; appUrl: string | null },
): Promise<void> {
  const { page, pageId, notices, appUrl } = told;
  const [address, lasting] = [publicAddress(page, appUrl), lastingAddress(page, appUrl)];
  if (!page.published || address === null || lasting === null) return;
  if (summarizePageNotices(notices).length === 0) return;
  const inLanguage = new Map<string, MailContent>();
  const contentFor = (language: string) => {
    const content =
      inLanguage.get(language) ?? composePageMail(notices, { name: page.name, address }, language);
    inLanguage.set(language, content);
    return content;
  };
  const { organizationId } = page;
  let after = '';
  for (let isMore = true; isMore; ) {
    const subscribers = await tx.$queryRaw<{ id: string; email: string; language: string }[]>`
      SELECT id, email, language FROM page_subscriber
       WHERE page_id = ${pageId} AND confirmed_at IS NOT NULL AND id > ${after} ORDER BY id LIMIT ${MAILS}`;
    const mails = subscribers.map(({ id, email: to, language }) => {
      const own = { ...contentFor(language), unsubscribeUrl: unsubscribeUrl(services.keyring, lasting, id) };
      return { organizationId, kind: 'subscriber', to, content: own, isBulk: true };
    });
    await queueMails(tx, services, mails);
    after = subscribers.at(-1)?.id ?? after;
    isMore = subscribers.length === MAILS;
  }
}

/** When notices have been gathered for long enough; null when none waits. */
export async function nextPageNoticesAt(
  { db }: Pick<Services, 'db'>,
  { groupSeconds }: NoticeSettings,
): Promise<Date | null> {
  const rows = await db.$queryRaw<{ oldest: Date }[]>`
    SELECT occurred_at AS oldest FROM page_notice WHERE mailed_at IS NULL ORDER BY occurred_at LIMIT 1`;
  const oldest = rows[0]?.oldest;
  return oldest ? new Date(oldest.getTime() + groupSeconds * 1000) : null;
}
