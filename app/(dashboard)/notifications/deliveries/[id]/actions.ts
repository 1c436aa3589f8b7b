'use server';

import type { ActionProblem } from '@/components/ui/action-result';
import { replayDelivery } from '@/lib/domain/webhooks/resend-deliveries';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { act } from '../../../act';

/** Requests another attempt now. */
export async function replayAction(id: string): Promise<ActionProblem> {
  return act((ctx) => replayDelivery(ctx, parseInput(nameOfObject, id)));
}
