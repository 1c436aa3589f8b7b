import { createHash } from 'node:crypto';
import { invalidState, requireFound, TooSoonError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import type { Keyring } from '@/lib/core/keyring';
import { parseJson } from '@/lib/core/parse-json';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Transaction } from '@/lib/platform/db/client';
import { PUSH_SENDER, type PushOutcome, type PushSender, postPush } from '@/lib/platform/push/post-push';
import { type PushContent, type PushTarget, pushTargetSchema } from '@/lib/schemas/push';
import { readPushKeys } from './push-keys';

/** The user's own browsers, which require no permission. */
type Own = Pick<OrganizationContext, 'db' | 'clock' | 'keyring' | 'organizationId' | 'contact'>;

/** The session of a user, and with it the browser in which they are signed in. */
type Visit = { userId: string; sessionId: string };

/** Browsers of a member in which they can be notified. */
export const MAX_BROWSERS = 10;
const TEST_EVERY_SECONDS = 10;

const TEST: PushContent = {
  title: 'Test notification',
  body: 'Alerts are shown like this in this browser.',
  path: '/settings/profile#push',
  tag: hash('test').toString('base64url').slice(0, 32),
  acknowledge: null,
};

/**
 * Notifies the member in the browser of their session from now on, until that session or the membership ends. Another session of the same
 * browser, and what it got, are replaced. Throws NOT_FOUND for somebody who is no member, and VALIDATION_ERROR for one who has too many.
 */
export async function addBrowser(
  { db, clock, keyring, organizationId }: Own,
  { userId, sessionId }: Visit,
  target: PushTarget,
): Promise<void> {
  const now = clock.now();
  await db.$transaction(async (tx) => {
    // One at a time for each member.
    const [member] = await tx.$queryRaw<unknown[]>`
      SELECT FROM membership WHERE organization_id = ${organizationId} AND user_id = ${userId} FOR NO KEY UPDATE`;
    requireFound(member, 'Member');
    const endpointHash = hash(target.endpoint);
    await tx.pushSubscription.deleteMany({ where: { endpointHash, sessionId: { not: sessionId } } });
    const key = { organizationId, sessionId };
    const known = await tx.pushSubscription.findUnique({ where: { organizationId_sessionId: key } });
    if (known !== null) return updateTarget(tx, keyring, known.id, target);
    const others = { organizationId, userId, session: { expiresAt: { gt: now } } };
    if ((await tx.pushSubscription.count({ where: others })) >= MAX_BROWSERS) {
      throw invalidState(`You are notified in ${MAX_BROWSERS} browsers. Remove one of them first.`);
    }
    const id = createId('pushSubscription');
    const targetSealed = sealTarget(keyring, id, target);
    await tx.pushSubscription.create({
      data: { id, ...key, userId, targetSealed, endpointHash, createdAt: now },
    });
  });
}

/** Replaces the address of the browser of a session, in all organizations: the push service gave it another one. */
export async function renewBrowser(
  { db, keyring }: Pick<Own, 'db' | 'keyring'>,
  sessionId: string,
  target: PushTarget,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const known = await tx.pushSubscription.findMany({ where: { sessionId }, select: { id: true } });
    for (const { id } of known) await updateTarget(tx, keyring, id, target);
  });
}

/** Stops notifying a member in one of their browsers; does nothing if it is not theirs. */
export async function removeBrowser(
  { db, organizationId }: Pick<Own, 'db' | 'organizationId'>,
  userId: string,
  id: string,
): Promise<void> {
  await db.pushSubscription.deleteMany({ where: { id, userId, organizationId } });
}

/**
 * Sends a test notification to a browser of the member at once. Throws NOT_FOUND, RATE_LIMITED after one in the last ten seconds, and
 * VALIDATION_ERROR with what the push service responded.
 */
export async function testBrowser(
  { db, clock, keyring, organizationId, contact }: Own,
  userId: string,
  id: string,
  sender: PushSender = PUSH_SENDER,
): Promise<void> {
  const now = clock.now();
  const own = { id, userId, organizationId };
  const before = new Date(now.getTime() - TEST_EVERY_SECONDS * 1000);
  const { count } = await db.pushSubscription.updateMany({
    where: { ...own, OR: [{ testedAt: null }, { testedAt: { lt: before } }] },
    data: { testedAt: now },
  });
  const { targetSealed } = requireFound(await db.pushSubscription.findFirst({ where: own }), 'Browser');
  const keys = requireFound(await readPushKeys({ db, keyring }), 'Push keys');
  if (count === 0)
    throw new TooSoonError('You sent a test just now. Try again in a few seconds.', TEST_EVERY_SECONDS);
  const payload = toPayload(id, TEST);
  const outcome = await postPush(
    sender,
    { keys, contact },
    { target: openTarget(keyring, id, targetSealed), payload, topic: TEST.tag },
  );
  await recordOutcome({ db }, id, outcome, now);
  if (outcome.kind === 'gone') {
    throw invalidState('This browser no longer accepts notifications. Turn them on again in it.');
  }
  if (outcome.kind !== 'accepted') throw invalidState(`Not sent: ${outcome.error}.`);
}

/** Records what an attempt shows of a browser: that it was used, or that its subscription ended, with all that is pending for it. */
export async function recordOutcome(
  { db }: { db: Own['db'] | Transaction },
  id: string,
  { kind }: Pick<PushOutcome, 'kind'>,
  now: Date,
): Promise<void> {
  if (kind === 'accepted') await db.pushSubscription.updateMany({ where: { id }, data: { lastUsedAt: now } });
  if (kind === 'gone') await db.pushSubscription.deleteMany({ where: { id } });
}

/** What a browser is sent, with an ID by which it recognizes a repetition. */
export function toPayload(id: string, content: PushContent): string {
  return JSON.stringify({ id, ...content });
}

/** The address and keys of a browser. Throws if no key opens them. */
export function openTarget(keyring: Keyring, id: string, targetSealed: Uint8Array): PushTarget {
  return pushTargetSchema.parse(parseJson(keyring.open(targetSealed, id)));
}

function sealTarget(keyring: Keyring, id: string, target: PushTarget) {
  return keyring.seal(JSON.stringify(target), id);
}

async function updateTarget(tx: Transaction, keyring: Keyring, id: string, target: PushTarget) {
  const stored = { targetSealed: sealTarget(keyring, id, target), endpointHash: hash(target.endpoint) };
  await tx.pushSubscription.updateMany({ where: { id }, data: stored });
}

function hash(text: string) {
  return createHash('sha256').update(text).digest();
}
