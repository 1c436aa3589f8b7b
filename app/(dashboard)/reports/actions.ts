'use server';

import type { ActionProblem } from '@/components/ui/action-result';
import { addReportMail, removeReportMail } from '@/lib/domain/reports/report-mails';
import { reportPageSchema } from '@/lib/schemas/reports/report';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { act } from '../act';
import { toReportQuery } from './read-query';

/** Sends the person the report of the screen with this query string each month. */
export async function addReportMailAction(search: string): Promise<ActionProblem> {
  return act('session', (ctx, { userId }) => {
    const page = reportPageSchema.parse(Object.fromEntries(new URLSearchParams(search)));
    return addReportMail(ctx, userId, toReportQuery(page, ctx.clock.now()));
  });
}

export async function removeReportMailAction(id: string): Promise<ActionProblem> {
  return act('session', (ctx, { userId }) => removeReportMail(ctx, userId, parseInput(nameOfObject, id)));
}
