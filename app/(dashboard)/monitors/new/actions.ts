'use server';

import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { type FormState, readTyped } from '@/components/ui/forms/form-state';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { readTypedMonitor } from '../read-typed-monitor';
import { refusedMonitor } from '../refused-monitor';

/** Creates a monitor as `POST /monitors` would, then goes to its page. */
export async function createMonitorAction(previous: FormState, form: FormData): Promise<FormState> {
  const { ctx } = await requireSession();
  const typed = readTyped(form);
  const outcome = await attempt(async () => {
    const input = await readTypedMonitor(ctx, typed, typed.source || null);
    return createMonitor(ctx, parseInput(createMonitorSchema, input));
  });
  if (!outcome.ok) return refusedMonitor(previous, outcome.error, typed);
  redirect(`/monitors/${outcome.value.id}`);
}
