'use server';

import { attempt } from '@/app/attempt';
import type { NewEndpointState } from '@/components/notifications/new-endpoint';
import { readTyped, refusedState } from '@/components/ui/forms/form-state';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { parseInput } from '@/lib/schemas/validation';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { readEndpointForm } from '../endpoint-values';

/** Creates an endpoint as `POST /webhooks` would, and shows its secret. */
export async function createEndpointAction(
  previous: NewEndpointState,
  form: FormData,
): Promise<NewEndpointState> {
  const { ctx } = await requireSession();
  const outcome = await attempt(async () =>
    createWebhook(ctx, parseInput(createWebhookSchema, readEndpointForm(form))),
  );
  if (!outcome.ok) return { ...refusedState(previous, outcome.error, readTyped(form)), created: null };
  const { id, secret, format } = outcome.value;
  return {
    ...previous,
    message: null,
    errors: {},
    created: { id, secret: format === 'standard' ? secret : null },
  };
}
