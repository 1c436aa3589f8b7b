'use server';

import { redirect } from 'next/navigation';
import type { FormState } from '@/components/ui/forms/form-state';
import { updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { updateWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { actOnForm } from '../../../act';
import { readEndpointForm } from '../../endpoint-values';

/** Updates an endpoint as `PUT /webhooks/:id` would, then returns to its page. */
export async function updateEndpointAction(
  id: string,
  previous: FormState,
  form: FormData,
): Promise<FormState> {
  return actOnForm(previous, form, async (ctx) => {
    const endpoint = parseInput(nameOfObject, id);
    await updateWebhook(ctx, endpoint, parseInput(updateWebhookSchema, readEndpointForm(form)));
    redirect(`/notifications/${endpoint}`);
  });
}
