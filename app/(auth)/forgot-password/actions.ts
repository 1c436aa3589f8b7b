'use server';

import type { LinkRequestState } from '@/components/auth/link-request-form';
import { requestPasswordReset } from '@/lib/domain/people/request-password-reset';
import { requestLink } from '../request-link';

export async function forgotPasswordAction(
  previous: LinkRequestState,
  form: FormData,
): Promise<LinkRequestState> {
  return requestLink(previous, form, requestPasswordReset);
}
