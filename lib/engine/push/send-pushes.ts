import { describeError } from '@/lib/core/errors';
import { writeJournal } from '@/lib/core/journal/journal';
import type { Logger } from '@/lib/core/logger';
import { parseJson } from '@/lib/core/parse-json';
import type { Services } from '@/lib/domain/context/services';
import { openTarget, recordOutcome, toPayload } from '@/lib/domain/push/change-browsers';
import { readPushKeys } from '@/lib/domain/push/push-keys';
import { createSlots, type Slots } from '@/lib/engine/runtime/slots';
import { type AttemptEnd, endOfFailure, settleClaims } from '@/lib/platform/db/claims';
import { PUSH_SENDER, type PushOutcome, type PushSender, postPush } from '@/lib/platform/push/post-push';
import { pushContentSchema } from '@/lib/schemas/push';
import { type ClaimedPush, claimDuePushes, PUSHES } from './claim-pushes';

/** Concurrent attempts of a worker. */
const MAX_ATTEMPTS = 10;
/** What could not be sent for this long is outdated. */
const STALE_MS = 86_400_000;

/** What a process needs to notify browsers. */
export type Pushes = {
  workerId: string;
  services: Services;
  sender: PushSender;
  slots: Slots;
  /** Called after every attempt: the next one for its browser may be due. */
  onDone: () => void;
  log: Logger;
};

/** Assembles the push messages of a process. */
export function createPushes(
  engine: Pick<Pushes, 'workerId' | 'services' | 'log'>,
  onDone: () => void,
  sender: PushSender = PUSH_SENDER,
): Pushes {
  return { ...engine, sender, onDone, slots: createSlots(MAX_ATTEMPTS, onDone) };
}

/** Claims due messages and starts sending them; returns how many attempts were started. */
export async function startDuePushes(engine: Pushes): Promise<number> {
  const { services, workerId, slots, onDone, log } = engine;
  const limit = slots.free();
  if (limit <= 0) return 0;
  const now = services.clock.now();
  const claimed = await claimDuePushes(services, { limit, workerId, now });
  for (const push of claimed) {
    slots.run(() =>
      attempt(engine, push)
        .catch((error: unknown) => {
          const fields = { error: describeError(error), push: push.id };
          log.error(fields, 'an attempt to notify a browser failed to run; its lease will expire');
        })
        .then(onDone),
    );
  }
  return claimed.length;
}

async function attempt(engine: Pushes, push: ClaimedPush): Promise<void> {
  const { db, clock } = engine.services;
  const outcome = await send(engine, push);
  const now = clock.now();
  const { id, subscriptionId, attempt } = push;
  await db.$transaction(async (tx) => {
    // In the order of the end of a subscription: the browser first.
    await recordOutcome({ db: tx }, subscriptionId, outcome, now);
    await settleClaims(tx, PUSHES, [{ id, attempt, end: endOf(push, outcome, now) }]);
  });
  logOutcome(engine.log, push, outcome);
}

/** A message that reached the push service may be sent again after a crash: browsers recognize it. */
async function send({ services, sender }: Pushes, push: ClaimedPush): Promise<PushOutcome> {
  const { id, subscriptionId, contentSealed, targetSealed, sessionEndsAt, createdAt } = push;
  const { keyring, clock, contact } = services;
  const now = clock.now().getTime();
  if (sessionEndsAt.getTime() <= now) return { kind: 'gone' };
  if (now - createdAt.getTime() > STALE_MS) return { kind: 'refused', error: 'not sent within a day' };
  try {
    const keys = await readPushKeys(services);
    if (keys === null) return { kind: 'refused', error: 'the keys of this installation are missing' };
    const content = pushContentSchema.parse(parseJson(keyring.open(contentSealed, id)));
    const target = openTarget(keyring, subscriptionId, targetSealed);
    const message = { target, payload: toPayload(id, content), topic: content.tag };
    return await postPush(sender, { keys, contact }, message);
  } catch (error) {
    return { kind: 'failed', error: `could not be prepared: ${describeError(error)}`, waitMs: 0 };
  }
}

function endOf(push: ClaimedPush, outcome: PushOutcome, now: Date): AttemptEnd {
  if (outcome.kind === 'refused') return { end: 'failed', failures: push.failures + 1 };
  if (outcome.kind !== 'failed') return { end: 'done' };
  const scheduled = endOfFailure(PUSHES, push, now);
  if (scheduled.end !== 'retry') return scheduled;
  const retryAt = new Date(Math.max(scheduled.retryAt.getTime(), now.getTime() + outcome.waitMs));
  return { ...scheduled, retryAt };
}

function logOutcome(log: Logger, { id, subscriptionId, attempt }: ClaimedPush, outcome: PushOutcome): void {
  const fields = { push: id, subscription: subscriptionId, attempt };
  switch (outcome.kind) {
    case 'accepted':
      writeJournal([{ message: 'push notification sent', id, as: 'sent', fields }]);
      break;
    case 'gone':
      log.info(fields, 'a browser no longer accepts notifications; its subscription ended');
      break;
    case 'refused':
      log.error({ ...fields, error: outcome.error }, 'could not send a push notification');
      break;
    case 'failed':
      log.warn({ ...fields, error: outcome.error }, 'could not send a push notification yet');
  }
}
