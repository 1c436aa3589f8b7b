'use server';

import { redirect } from 'next/navigation';
import { actOnForm } from '@/app/(auth)/act';
import { type FormState, readTyped } from '@/components/ui/forms/form-state';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { confirmVisitorSession } from '@/lib/web/http/sign-in/visitor-sign-in';
import { readFactor } from '../read-factor';
import { safePath } from '../safe-path';

/** Confirms the second factor in this session and returns to the page of the change. */
export async function confirmAction(previous: FormState, form: FormData): Promise<FormState> {
  return actOnForm(previous, form, async () => {
    const session = await requireSession();
    await confirmVisitorSession(session, await readFactor(form));
    redirect(safePath(readTyped(form).callbackUrl));
  });
}
