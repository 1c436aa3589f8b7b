'use server';

import type { NewEndpointState } from '@/components/notifications/new-endpoint';
import { freshState } from '@/components/ui/forms/form-state';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { parseInput } from '@/lib/schemas/validation';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { actOnForm } from '../../act';
import { readEndpointForm } from '../endpoint-values';

/** Creates an endpoint as `POST /webhooks` would, and shows its secret. */
export async function createEndpointAction(
  previous: NewEndpointState,
  form: FormData,
): Promise<NewEndpointState> {
  return actOnForm(previous, form, async (ctx) => {
    const input = parseInput(createWebhookSchema, readEndpointForm(form));
    const { id, secret, format } = await createWebhook(ctx, input);
    return { ...freshState(), created: { id, secret: format === 'standard' ? secret : null } };
  });
}
