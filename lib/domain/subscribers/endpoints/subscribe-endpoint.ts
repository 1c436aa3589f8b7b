import { createId } from '@/lib/core/ids';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import type { EndpointSubscriber } from '@/lib/platform/db/generated/client';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import type { ChosenRows } from '@/lib/schemas/status-pages/subscriber';
import type { EndpointChannel } from '@/lib/schemas/status-pages/subscriber-channel';
import { lockChosenRows } from '../chosen-rows';
import { composeConfirmation, createConfirmationToken, hashToken } from '../confirmation-mail';
import {
  countConfirmations,
  MAX_CONFIRMATIONS_PER_HOUR,
  RESEND_AFTER_MS,
  type SubscribablePage,
} from '../subscribe';
import { mailOwner } from './endpoint-mails';
import { storeUrl } from './endpoint-target';

/** Endpoints of one address on one page: as many confirmed ones, and as many that wait for their confirmation. */
const MAX_PER_ADDRESS = 5;
/** Mails to one address within ten minutes. */
const MAX_RECENT = 3;

type Request = { channel: EndpointChannel; url: string; email: string; language: string; rows: ChosenRows };

/**
 * Mails a confirmation link for an endpoint to the address of its owner, or the link to manage it if it is confirmed; nothing is sent to the endpoint
 * before. At most one mail in ten minutes about a URL, 3 to an address, at most 5 confirmed endpoints for it, and at most 100 mails per hour for the page,
 * together with those of `subscribe`. `isLimited` reports only the limit of the page, so the result does not reveal who is subscribed.
 */
export async function subscribeEndpoint(
  services: Services,
  { page, address }: SubscribablePage,
  request: Request,
): Promise<{ isLimited: boolean }> {
  const now = services.clock.now();
  return services.db.$transaction(async (tx) => {
    if ((await countConfirmations(tx, page.id, now)) >= MAX_CONFIRMATIONS_PER_HOUR)
      return { isLimited: true };
    const stored = await store(tx, services, { pageId: page.id, request });
    if (stored === null) return { isLimited: false };
    await tx.subscriptionRequest.create({ data: { pageId: page.id, requestedAt: now } });
    if (stored.token === null) {
      await mailOwner(tx, services, stored.row, 'started');
      return { isLimited: false };
    }
    const { email, language } = request;
    const { token, row } = stored;
    await queueMail(tx, services, {
      organizationId: page.organizationId,
      kind: 'confirm-subscription',
      to: email,
      content: composeConfirmation({ pageName: page.name, address, token, language, host: row.host }),
    });
    return { isLimited: false };
  });
}

/**
 * Stores a request with a new token, or finds the confirmed endpoint that it is about, which keeps its choices. Null if there was a request a moment ago,
 * or there are too many. The page is locked.
 */
async function store(
  tx: Transaction,
  { clock, keyring }: Services,
  { pageId, request }: { pageId: string; request: Request },
): Promise<{ token: string | null; row: EndpointSubscriber } | null> {
  const { channel, url, email, language, rows } = request;
  const now = clock.now();
  const own = await tx.endpointSubscriber.findMany({ where: { pageId, email } });
  const since = now.getTime() - RESEND_AFTER_MS;
  const recent = own.filter(({ requestedAt }) => requestedAt.getTime() > since);
  const newId = createId('subscriber');
  const { urlHash, ...target } = storeUrl(keyring, newId, url);
  const known = own.find((one) => Buffer.from(one.urlHash).equals(urlHash));
  if (recent.length >= MAX_RECENT || (known && recent.includes(known))) return null;
  if (known?.confirmedAt) {
    const where = { id: known.id };
    return { token: null, row: await tx.endpointSubscriber.update({ where, data: { requestedAt: now } }) };
  }
  const token = createConfirmationToken();
  const chosen = await lockChosenRows(tx, pageId, rows);
  const data = { language, ...chosen, tokenHash: hashToken(token), requestedAt: now };
  if (known) return { token, row: await tx.endpointSubscriber.update({ where: { id: known.id }, data }) };
  if (!(await makePlace(tx, own))) return null;
  const fixed = { id: newId, pageId, channel, email, urlHash, createdAt: now };
  return { token, row: await tx.endpointSubscriber.create({ data: { ...fixed, ...target, ...data } }) };
}

/** Whether an address can have another endpoint. The oldest that waits makes place, so that strangers cannot fill what its owner needs. */
async function makePlace(tx: Transaction, own: readonly EndpointSubscriber[]): Promise<boolean> {
  const waiting = own.filter(({ confirmedAt }) => confirmedAt === null);
  if (own.length - waiting.length >= MAX_PER_ADDRESS) return false;
  const [oldest] = waiting.toSorted((a, b) => a.requestedAt.getTime() - b.requestedAt.getTime());
  if (oldest && waiting.length >= MAX_PER_ADDRESS) {
    await tx.endpointSubscriber.delete({ where: { id: oldest.id } });
  }
  return true;
}
