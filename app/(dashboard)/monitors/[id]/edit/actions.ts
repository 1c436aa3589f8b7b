'use server';

import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { changedInput, readMonitorInput } from '@/components/monitors/form/monitor-input';
import { readOpened } from '@/components/monitors/form/opened';
import { type FormState, readTyped } from '@/components/ui/form-state';
import { requireSession } from '@/lib/http/dashboard-session';
import { updateMonitor } from '@/lib/monitors/update-monitor';
import { updateMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { readTypedMonitor } from '../../read-typed-monitor';
import { refusedMonitor } from '../../refused-monitor';

/**
 * Changes a monitor as `PUT /monitors/:id` would, by what differs from the form as it opened: what somebody else changed
 * meanwhile stays. Goes back to it.
 */
export async function updateMonitorAction(
  id: string,
  previous: FormState,
  form: FormData,
): Promise<FormState> {
  const { ctx } = await requireSession();
  const typed = readTyped(form);
  const outcome = await attempt(async () => {
    const opened = readMonitorInput(readOpened(typed));
    const changed = Object.keys(changedInput(opened, readMonitorInput(typed)));
    const input = await readTypedMonitor(ctx, typed, id);
    const changes = Object.fromEntries(Object.entries(input).filter(([name]) => changed.includes(name)));
    return updateMonitor(ctx, id, parseInput(updateMonitorSchema, changes));
  });
  if (!outcome.ok) return refusedMonitor(previous, outcome.error, typed);
  redirect(`/monitors/${id}`);
}
