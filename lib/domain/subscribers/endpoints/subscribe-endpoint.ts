import { createId } from '@/lib/core/ids';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
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
import { storeUrl } from './endpoint-target';

/** Endpoints of one address on one page, unconfirmed ones included. */
const MAX_PER_ADDRESS = 5;

type Request = { channel: EndpointChannel; url: string; email: string; language: string; rows: ChosenRows };

/**
 * Mails a confirmation link for an endpoint to the address of its owner; nothing is sent to the endpoint before. At most one mail in ten minutes to
 * an address, at most 5 endpoints for it, and at most 100 mails per hour for the page, together with those of `subscribe`. `isLimited` reports only the
 * limit of the page, so the result does not reveal who is subscribed.
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
    const { email, language } = request;
    const { token, host } = stored;
    await queueMail(tx, services, {
      organizationId: page.organizationId,
      kind: 'confirm-subscription',
      to: email,
      content: composeConfirmation({ pageName: page.name, address, token, language, host }),
    });
    return { isLimited: false };
  });
}

/** Stores a request with a new token; null if there was one a moment ago, it is confirmed, or there are too many. The page is locked. */
async function store(
  tx: Transaction,
  { clock, keyring }: Services,
  { pageId, request }: { pageId: string; request: Request },
): Promise<{ token: string; host: string } | null> {
  const { channel, url, email, language, rows } = request;
  const now = clock.now();
  const own = await tx.endpointSubscriber.findMany({ where: { pageId, email } });
  const newest = Math.max(...own.map(({ requestedAt }) => requestedAt.getTime()));
  if (newest > now.getTime() - RESEND_AFTER_MS) return null;
  const newId = createId('subscriber');
  const { urlHash, ...target } = storeUrl(keyring, newId, url);
  const known = own.find((one) => Buffer.from(one.urlHash).equals(urlHash));
  if (known ? known.confirmedAt !== null : own.length >= MAX_PER_ADDRESS) return null;
  const token = createConfirmationToken();
  const chosen = await lockChosenRows(tx, pageId, rows);
  const data = { language, ...chosen, tokenHash: hashToken(token), requestedAt: now };
  if (known) await tx.endpointSubscriber.update({ where: { id: known.id }, data });
  else {
    const fixed = { id: newId, pageId, channel, email, urlHash, createdAt: now };
    await tx.endpointSubscriber.create({ data: { ...fixed, ...target, ...data } });
  }
  return { token, host: target.host };
}
