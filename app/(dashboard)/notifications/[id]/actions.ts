'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import type { Recovered } from '@/components/notifications/missed-note';
import type { Rotated } from '@/components/notifications/secret-section';
import type { QueuedTest } from '@/components/notifications/test-send';
import {
  deleteWebhook,
  finishRotation,
  rotateSecret,
  updateWebhook,
} from '@/lib/domain/webhooks/change-webhook';
import { getDelivery } from '@/lib/domain/webhooks/read-deliveries';
import { recoverDeliveries, testWebhook } from '@/lib/domain/webhooks/resend-deliveries';
import { flag, nameOfObject, parseInput } from '@/lib/schemas/validation';
import type { DeliveryDetail } from '@/lib/schemas/webhooks/delivery';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { type ActionProblem, act } from '../../act';

const HOUR_MS = 3_600_000;
/** How far back each choice reaches; any other means all that is kept. */
const SPAN_MS: Record<string, number> = { day: 24 * HOUR_MS, hour: HOUR_MS };

export async function setEnabledAction(id: string, enabled: boolean): Promise<ActionProblem> {
  return act((ctx) =>
    updateWebhook(ctx, parseInput(nameOfObject, id), { enabled: parseInput(flag, enabled) }),
  );
}

export async function deleteAction(id: string): Promise<ActionProblem> {
  const { ctx } = await requireSession();
  const outcome = await attempt(async () => deleteWebhook(ctx, parseInput(nameOfObject, id)));
  if (!outcome.ok) return outcome.error.message;
  redirect('/notifications');
}

/** Creates a new secret and returns it, only this once. */
export async function rotateAction(id: string, immediate: boolean): Promise<Rotated> {
  const { ctx } = await requireSession();
  const outcome = await attempt(async () =>
    rotateSecret(ctx, parseInput(nameOfObject, id), { immediate: parseInput(flag, immediate) }),
  );
  if (!outcome.ok) return { secret: null, problem: outcome.error.message };
  refresh();
  return { secret: outcome.value.secret, problem: null };
}

export async function finishRotationAction(id: string): Promise<ActionProblem> {
  return act((ctx) => finishRotation(ctx, parseInput(nameOfObject, id)));
}

/** Queues a test; a worker, possibly in another process, sends it. */
export async function testAction(id: string): Promise<QueuedTest> {
  const { ctx } = await requireSession();
  const outcome = await attempt(async () => testWebhook(ctx, parseInput(nameOfObject, id)));
  if (!outcome.ok) return { id: null, problem: outcome.error.message };
  return { id: outcome.value.id, problem: null };
}

/** The delivery of a test once its attempt has finished; null until then. */
export async function readTestAction(deliveryId: string): Promise<DeliveryDetail | null> {
  const { ctx } = await requireSession();
  const delivery = await getDelivery(ctx, parseInput(nameOfObject, deliveryId));
  if (delivery.status === 'pending') return null;
  refresh();
  return delivery;
}

export async function recoverAction(id: string, _: Recovered, form: FormData): Promise<Recovered> {
  const { ctx } = await requireSession();
  const span = SPAN_MS[String(form.get('span'))];
  const since = span === undefined ? new Date(0) : new Date(ctx.clock.now().getTime() - span);
  const outcome = await attempt(async () => recoverDeliveries(ctx, parseInput(nameOfObject, id), { since }));
  if (!outcome.ok) return { queued: null, problem: outcome.error.message };
  refresh();
  return { queued: outcome.value.queued, problem: null };
}
