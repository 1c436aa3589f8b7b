'use server';

import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { changedInput, readOpened } from '@/components/monitors/form/monitor-input';
import { type FormState, readTyped } from '@/components/ui/forms/form-state';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { listHiddenHeaders } from '@/lib/schemas/hidden';
import { updateMonitorSchema } from '@/lib/schemas/monitor';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { readMonitorForm } from '../../form-values';
import { refusedMonitor } from '../../refused-monitor';

/**
 * Updates a monitor as `PUT /monitors/:id` would, then returns to its page. Sends only the fields that changed since the
 * form was opened, so that concurrent edits are kept.
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
    // Hidden headers were entered for another URL; the domain decides whether they may be sent to this one.
    if ('url' in changes && listHiddenHeaders(input.headers ?? {}).length > 0)
      changes.headers = input.headers;
    return updateMonitor(ctx, parseInput(nameOfObject, id), parseInput(updateMonitorSchema, changes));
  });
  if (!outcome.ok) return refusedMonitor(previous, outcome.error, typed);
  redirect(`/monitors/${outcome.value.id}`);
}
