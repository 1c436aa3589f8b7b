'use server';

import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { type FormState, readTyped, refusedState } from '@/components/ui/form-state';
import { requireSession } from '@/lib/http/dashboard-session';
import { createMonitor } from '@/lib/monitors/create-monitor';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { readMonitorForm } from './read-form';

/** Makes a monitor as `POST /monitors` would, and opens it. */
export async function createMonitorAction(previous: FormState, form: FormData): Promise<FormState> {
  const { ctx } = await requireSession();
  const outcome = await attempt(async () =>
    createMonitor(ctx, parseInput(createMonitorSchema, readMonitorForm(form))),
  );
  if (!outcome.ok) return refusedState(previous, outcome.error, readTyped(form));
  redirect(`/monitors/${outcome.value.id}`);
}
