import { createId } from '@/lib/core/ids';
import type { Transaction } from '@/lib/platform/db/client';
import type { LateEvent } from './audience';
import { composeDeliveries, type NewDelivery } from './compose-deliveries';
import type { Notifying } from './facts';
import type { FlappingRow } from './flapping-rows';
import type { NewNotice } from './notices';
import {
  addressEvents,
  addressLateEvents,
  type NewEvent,
  NOTHING,
  type NotificationPlan,
  planNotifications,
} from './plan';
import { readAlertedEndpoints, readEventFacts, readLateEvents } from './read-facts';
import { readMessages } from './read-messages';
import { writePlan } from './write-plan';

export type { LateEvent, NewEvent, Notifying };

/**
 * Writes events and one delivery per endpoint that subscribes to it and whose rules match, in the transaction that caused them: they are
 * sent if and only if it commits. Events that nobody is sent leave no rows. For an automatically disabled endpoint the delivery is written as
 * failed, so that it can be recovered. Takes a fixed number of statements.
 */
export async function emitEvents(
  tx: Transaction,
  services: Notifying,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await writePlan(tx, services, await planEvents(tx, services, events));
}

/** Who would hear what of events: what `emitEvents` writes. Only reads. */
export async function planEvents(
  tx: Transaction,
  { appUrl }: Pick<Notifying, 'appUrl'>,
  events: readonly NewEvent[],
): Promise<NotificationPlan> {
  const facts = await readEventFacts(tx, appUrl, events);
  const addressed = addressEvents(events, facts, createId);
  const messages = await readMessages(tx, addressed.events);
  return planNotifications(addressed, { ...facts, messages }, createId);
}

/** What people are notified of after all. */
export type Late = { events: readonly LateEvent[]; notices: NewNotice[]; flapping?: FlappingRow[] };

/**
 * Writes the deliveries of events that were held, due at `now`, and notices to members. Events that have expired are
 * ignored. Takes a fixed number of statements.
 */
export async function notifyLate(
  tx: Transaction,
  { appUrl, mail }: Notifying,
  { events, notices, flapping = [] }: Late,
  now: Date,
): Promise<void> {
  const deliveries = events.length === 0 ? [] : await planLate(tx, appUrl, events, now);
  await writePlan(tx, { mail }, { ...NOTHING, deliveries, flapping, notices });
}

async function planLate(
  tx: Transaction,
  appUrl: string | null,
  events: readonly LateEvent[],
  now: Date,
): Promise<NewDelivery[]> {
  const stored = await readLateEvents(tx, events);
  const facts = await readEventFacts(tx, appUrl, stored);
  const alerted = await readAlertedEndpoints(tx, events);
  const addressed = addressLateEvents(stored, { ...facts, now, alerted });
  const messages = await readMessages(tx, addressed);
  return composeDeliveries(addressed, { ...facts, messages }, createId);
}
