'use server';

import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { changedInput, readOpened } from '@/components/monitors/form/monitor-input';
import { type FormState, readTyped } from '@/components/ui/form-state';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { listHiddenHeaders } from '@/lib/schemas/hidden';
import { updateMonitorSchema } from '@/lib/schemas/monitor';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { readMonitorForm } from '../../form-values';
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
    const opened = readMonitorForm(readOpened(typed));
    const input = readMonitorForm(typed);
    const changes = changedInput(opened, input);
    // Headers that stay hidden were typed for another URL: whether they may go to this one, the verb decides.
    if ('url' in changes && listHiddenHeaders(input.headers ?? {}).length > 0)
      changes.headers = input.headers;
    return updateMonitor(ctx, parseInput(nameOfObject, id), parseInput(updateMonitorSchema, changes));
  });
  if (!outcome.ok) return refusedMonitor(previous, outcome.error, typed);
  redirect(`/monitors/${outcome.value.id}`);
}
