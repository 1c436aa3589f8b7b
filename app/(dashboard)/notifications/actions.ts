'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import type { TemplateSample } from '@/components/notifications/template-preview';
import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import { freshState } from '@/components/ui/forms/form-state';
import {
  createWebhook,
  deleteWebhook,
  finishRotation,
  rotateSecret,
  updateWebhook,
} from '@/lib/domain/webhooks/change-webhook';
import { getDelivery } from '@/lib/domain/webhooks/read-deliveries';
import { recoverDeliveries, replayDelivery, testWebhook } from '@/lib/domain/webhooks/resend-deliveries';
import { previewTemplate } from '@/lib/domain/webhooks/templates/require-rendering';
import { flag, nameOfObject, parseInput } from '@/lib/schemas/validation';
import { type DeliveryDetail, recoverSchema } from '@/lib/schemas/webhooks/delivery';
import { createWebhookSchema, templateText, updateWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { act, actFor, actionOn, enter, formAction, formActionOn } from '../act';
import { formatChoice, readEndpointForm } from './endpoint-values';

/** Creates an endpoint as `POST /webhooks` would, and shows its secret where receivers verify signatures, or else its page. */
export const createEndpointAction = formAction('webhook.create', async (ctx, form) => {
  const input = parseInput(createWebhookSchema, readEndpointForm(form));
  const { id, secret } = await createWebhook(ctx, input);
  if (!formatChoice(input.format).verifiesSignatures) redirect(`/notifications/${id}`);
  return { ...freshState(), created: { id, secret } };
});

/** Updates an endpoint as `PUT /webhooks/:id` would, then returns to its page. */
export const updateEndpointAction = formActionOn('webhook.update', async (ctx, id, form) => {
  await updateWebhook(ctx, id, parseInput(updateWebhookSchema, readEndpointForm(form)));
  redirect(`/notifications/${id}`);
});

export async function setEnabledAction(id: string, enabled: boolean): Promise<ActionProblem> {
  return act('webhook.update', (ctx) =>
    updateWebhook(ctx, parseInput(nameOfObject, id), { enabled: parseInput(flag, enabled) }),
  );
}

export const deleteAction = actionOn('webhook.delete', async (ctx, id) => {
  await deleteWebhook(ctx, id);
  redirect('/notifications/channels');
});

/** Creates a new secret and returns it, only once. */
export async function rotateAction(id: string, immediate: boolean): Promise<ActionResult<string>> {
  return actFor('webhook.rotate-secret', async (ctx) => {
    const options = { immediate: parseInput(flag, immediate) };
    const { secret } = await rotateSecret(ctx, parseInput(nameOfObject, id), options);
    refresh();
    return secret;
  });
}

export const finishRotationAction = actionOn('webhook.rotate-secret', finishRotation);

/** What a template writes for a sample of each event. */
export async function previewAction(template: string): Promise<ActionResult<TemplateSample[]>> {
  return actFor('webhook.update', async (ctx) => {
    const samples = await previewTemplate(ctx, parseInput(templateText, template));
    return samples.map(({ event, rendered }) => ({ event, ...rendered }));
  });
}

/** Queues a test and returns its ID; a worker, possibly in another process, sends it. */
export async function testAction(id: string): Promise<ActionResult<string>> {
  return actFor('webhook.test', async (ctx) => (await testWebhook(ctx, parseInput(nameOfObject, id))).id);
}

/** The delivery of a test once its attempt has finished; null until then. */
export async function readTestAction(deliveryId: string): Promise<DeliveryDetail | null> {
  const { ctx } = await enter('delivery.read');
  const delivery = await getDelivery(ctx, parseInput(nameOfObject, deliveryId));
  if (delivery.status === 'pending') return null;
  refresh();
  return delivery;
}

/** Resends the deliveries missed since the time that the preview shows, and returns how many were queued. */
export async function recoverAction(
  id: string,
  _: ActionResult<number | null>,
  form: FormData,
): Promise<ActionResult<number>> {
  return actFor('webhook.recover', async (ctx) => {
    const { since } = parseInput(recoverSchema, { since: form.get('since') });
    const { queued } = await recoverDeliveries(ctx, parseInput(nameOfObject, id), { since });
    refresh();
    return queued;
  });
}

/** Requests another attempt of a delivery now. */
export const replayAction = actionOn('delivery.replay', replayDelivery);
