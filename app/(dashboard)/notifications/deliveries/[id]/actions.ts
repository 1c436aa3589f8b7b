'use server';

import { nameOfObject } from '@/lib/schemas/arguments';
import { parseInput } from '@/lib/schemas/validation';
import { replayDelivery } from '@/lib/webhooks/replay-delivery';
import { type ActionProblem, act } from '../../../act';

/** Asks for one more try, now. */
export async function replayAction(id: string): Promise<ActionProblem> {
  return act((ctx) => replayDelivery(ctx, parseInput(nameOfObject, id)));
}
