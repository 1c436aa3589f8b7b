import type { Services } from '@/lib/domain/context/services';
import {
  generateWebhookSecret,
  isRotating,
  openSigningSecrets,
  ROTATION_MS,
} from '@/lib/domain/webhooks/sign';
import type { Transaction } from '@/lib/platform/db/client';
import type { EndpointSubscriber } from '@/lib/platform/db/generated/client';
import type { EndpointChannel } from '@/lib/schemas/status-pages/subscriber-channel';
import { mailOwner } from './endpoint-mails';

/** Confirmed endpoints of a page. */
const MAX_PER_PAGE = 1000;
/**
 * Confirmed webhooks of a page at one host. Nobody proves that a URL is theirs, so an update must not become many requests to a stranger; Slack
 * limits its own.
 */
const MAX_PER_HOST = 20;

/** What an owner sees of an endpoint. */
export type SubscribedEndpoint = {
  channel: EndpointChannel;
  host: string;
  /** Until then, deliveries carry the signatures of both the old and the new secret. */
  rotationEndsAt: Date | null;
  failingSince: Date | null;
  stoppedAt: Date | null;
};

/** The endpoint of a subscriber as its owner sees it at `now`. */
export function serializeEndpoint(row: EndpointSubscriber, now: Date): SubscribedEndpoint {
  const { channel, host, failingSince, stoppedAt, rotationEndsAt } = row;
  return {
    channel: channel === 'slack' ? 'slack' : 'webhook',
    host,
    rotationEndsAt: isRotating(row, now) ? rotationEndsAt : null,
    failingSince,
    stoppedAt,
  };
}

/** A confirmed endpoint, and its signing secret if it has just been created. */
export type ConfirmedEndpoint = { id: string; host: string; secret: string | null };

/**
 * Confirms an endpoint in a transaction that found it by its valid token, creates its signing secret, and emails its owner the link to manage it.
 * Idempotent: without the secret from the second time on. `full` if the page has 1,000 already, 20 at this host, or this URL. Null if it no longer exists.
 */
export async function confirmEndpoint(
  tx: Transaction,
  services: Services,
  { id, pageId }: { id: string; pageId: string },
): Promise<ConfirmedEndpoint | 'full' | null> {
  await tx.$queryRaw`SELECT id FROM status_page WHERE id = ${pageId} FOR NO KEY UPDATE`;
  const row = await tx.endpointSubscriber.findUnique({ where: { id } });
  if (row === null) return null;
  const { host, channel } = row;
  if (row.confirmedAt !== null) return { id, host, secret: null };
  if (await isFull(tx, row)) return 'full';
  const secret = channel === 'webhook' ? generateWebhookSecret() : null;
  const secretSealed = secret === null ? null : services.keyring.seal(secret, id);
  await tx.endpointSubscriber.update({
    where: { id },
    data: { confirmedAt: services.clock.now(), secretSealed },
  });
  await mailOwner(tx, services, row, 'started');
  return { id, host, secret };
}

async function isFull(
  tx: Transaction,
  { pageId, urlHash, host, channel }: EndpointSubscriber,
): Promise<boolean> {
  const [confirmed] = await tx.$queryRaw<{ all: number; same: number; atHost: number }[]>`
    SELECT count(*)::int AS all, count(*) FILTER (WHERE url_hash = ${urlHash})::int AS same,
           count(*) FILTER (WHERE host = ${host} AND channel = 'webhook')::int AS "atHost"
      FROM endpoint_subscriber WHERE page_id = ${pageId} AND confirmed_at IS NOT NULL`;
  const { all = 0, same = 0, atHost = 0 } = confirmed ?? {};
  return all >= MAX_PER_PAGE || same > 0 || (channel === 'webhook' && atHost >= MAX_PER_HOST);
}

/**
 * Creates a new signing secret for the webhook of a subscriber and returns it, only once; the old one keeps signing for 24 hours. A rotation during a
 * rotation replaces the new secret. Null for anything but a confirmed webhook. The caller has verified the link.
 */
export async function rotateEndpointSecret(
  { db, clock, keyring }: Pick<Services, 'db' | 'clock' | 'keyring'>,
  id: string,
): Promise<string | null> {
  const now = clock.now();
  return db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM endpoint_subscriber WHERE id = ${id} FOR UPDATE`;
    const row = await tx.endpointSubscriber.findUnique({ where: { id } });
    if (row?.secretSealed == null) return null;
    const { current } = openSigningSecrets(keyring, id, { ...row, secretSealed: row.secretSealed }, now);
    const secret = generateWebhookSecret();
    await tx.endpointSubscriber.update({
      where: { id },
      data: {
        secretSealed: keyring.seal(current, id),
        nextSecretSealed: keyring.seal(secret, id),
        rotationEndsAt: new Date(now.getTime() + ROTATION_MS),
      },
    });
    return secret;
  });
}

/** Starts an endpoint again that was stopped for failing. The caller has verified the link. */
export async function restartEndpoint({ db }: Pick<Services, 'db'>, id: string): Promise<void> {
  await db.endpointSubscriber.updateMany({
    where: { id },
    data: { stoppedAt: null, failingSince: null, failedDeliveries: 0 },
  });
}
