'use server';

import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { requireSession } from '@/lib/http/dashboard-session';
import { deleteMonitor } from '@/lib/monitors/delete-monitor';
import { updateMonitor } from '@/lib/monitors/update-monitor';

/** What went wrong, or null. */
export type ActionProblem = string | null;

export async function setEnabledAction(id: string, enabled: boolean): Promise<ActionProblem> {
  const { ctx } = await requireSession();
  const outcome = await attempt(() => updateMonitor(ctx, id, { enabled }));
  return outcome.ok ? null : outcome.error.message;
}

export async function deleteAction(id: string): Promise<ActionProblem> {
  const { ctx } = await requireSession();
  const outcome = await attempt(() => deleteMonitor(ctx, id));
  if (!outcome.ok) return outcome.error.message;
  redirect('/monitors');
}
