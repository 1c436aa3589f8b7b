'use server';

import { notFound } from 'next/navigation';
import type { LinkRequestState } from '@/components/auth/sign-in-forms';
import { requestSignUp } from '@/lib/domain/people/sign-up';
import { getEnvironment } from '@/lib/env';
import { requestLink } from '../request-link';

export async function signUpAction(previous: LinkRequestState, form: FormData): Promise<LinkRequestState> {
  if (getEnvironment().SIGN_UP !== 'open') notFound();
  return requestLink(previous, form, requestSignUp);
}
