'use server';

import type { ActionProblem } from '@/components/ui/action-result';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { flag, nameOfObject, parseInput } from '@/lib/schemas/validation';
import { act } from '../../../act';

export async function setEnabledAction(id: string, enabled: boolean): Promise<ActionProblem> {
  return act((ctx) =>
    updateMonitor(ctx, parseInput(nameOfObject, id), { enabled: parseInput(flag, enabled) }),
  );
}

/** Deletes a monitor after its page was left, and refreshes the current page. */
export async function deleteAction(id: string): Promise<ActionProblem> {
  return act((ctx) => deleteMonitor(ctx, parseInput(nameOfObject, id)));
}
