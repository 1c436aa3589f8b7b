'use server';

import { refresh } from 'next/cache';
import { attempt } from '@/app/attempt';
import type { ActionProblem } from '@/components/ui/action-result';
import { unsubscribeMember } from '@/lib/domain/people/mail-preferences';
import { memberLinkSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { readVisitor } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';

/** Turns off what a link is about for its member; the page then shows that it is off. */
export async function unsubscribeAction(_: ActionProblem, form: FormData): Promise<ActionProblem> {
  const outcome = await attempt(async () => {
    const { address } = await readVisitor();
    await unsubscribeMember(
      getWeb().services,
      parseInput(memberLinkSchema, Object.fromEntries(form)),
      address,
    );
  });
  if (!outcome.ok) return outcome.error.message;
  refresh();
  return null;
}
