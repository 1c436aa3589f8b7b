'use server';

import { actAndRefresh } from '@/app/(auth)/act';
import type { ActionProblem } from '@/components/ui/action-result';
import { unsubscribeMember } from '@/lib/domain/people/mail-preferences';
import { memberLinkSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { readVisitor } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';

/** Turns off what a link is about for its member; the page then shows that it is off. */
export async function unsubscribeAction(_: ActionProblem, form: FormData): Promise<ActionProblem> {
  return actAndRefresh(async () => {
    const { address } = await readVisitor();
    await unsubscribeMember(
      getWeb().services,
      parseInput(memberLinkSchema, Object.fromEntries(form)),
      address,
    );
  });
}
