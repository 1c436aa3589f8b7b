'use server';

import { actAndRefresh } from '@/app/(auth)/act';
import type { ActionProblem } from '@/components/ui/action-result';
import { acknowledgeByLink } from '@/lib/domain/incidents/acknowledge/acknowledge-by-link';
import { acknowledgeFromMessage } from '@/lib/domain/incidents/acknowledge/acknowledge-from-message';
import { acknowledgeLinkSchema } from '@/lib/schemas/incidents/acknowledge-link';
import { parseInput } from '@/lib/schemas/validation';
import { findVisitorSession, readVisitor } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';

/** Acknowledges the incidents of a link; the page then shows who did. */
export async function acknowledgeByLinkAction(_: ActionProblem, form: FormData): Promise<ActionProblem> {
  return actAndRefresh(async () => {
    const { address } = await readVisitor();
    const link = parseInput(acknowledgeLinkSchema, Object.fromEntries(form));
    await acknowledgeByLink(getWeb().services, link, address);
  });
}

/** Acknowledges the incident of a link in a message, as the visitor if they are signed in. */
export async function acknowledgeFromMessageAction(_: ActionProblem, form: FormData): Promise<ActionProblem> {
  return actAndRefresh(async () => {
    const [{ address }, session] = await Promise.all([readVisitor(), findVisitorSession()]);
    const visit = { address, userId: session?.userId ?? null };
    await acknowledgeFromMessage(getWeb().services, String(form.get('token')), visit);
  });
}
