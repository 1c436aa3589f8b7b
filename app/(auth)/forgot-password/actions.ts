'use server';

import { actOnForm } from '@/app/(auth)/act';
import type { LinkRequestState } from '@/components/auth/sign-in-forms';
import { requestPasswordReset } from '@/lib/domain/people/passwords';
import { requestLink } from '../request-link';

export async function forgotPasswordAction(
  previous: LinkRequestState,
  form: FormData,
): Promise<LinkRequestState> {
  return actOnForm(previous, form, () => requestLink(form, requestPasswordReset));
}
