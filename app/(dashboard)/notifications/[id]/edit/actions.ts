'use server';

import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { type FormState, readTyped, refusedState } from '@/components/ui/forms/form-state';
import { updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { updateWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { readEndpointForm } from '../../endpoint-values';

/** Updates an endpoint as `PUT /webhooks/:id` would, then returns to its page. */
export async function updateEndpointAction(
  id: string,
  previous: FormState,
  form: FormData,
): Promise<FormState> {
  const { ctx } = await requireSession();
  const outcome = await attempt(async () =>
    updateWebhook(ctx, parseInput(nameOfObject, id), parseInput(updateWebhookSchema, readEndpointForm(form))),
  );
  if (!outcome.ok) return refusedState(previous, outcome.error, readTyped(form));
  redirect(`/notifications/${outcome.value.id}`);
}
