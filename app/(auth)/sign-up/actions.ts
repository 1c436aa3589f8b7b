'use server';

import { notFound } from 'next/navigation';
import { actOnForm } from '@/app/(auth)/act';
import type { LinkRequestState } from '@/components/auth/sign-in-forms';
import { requestSignUp } from '@/lib/domain/people/sign-up';
import { getEnvironment } from '@/lib/env';
import { requestLink } from '../request-link';

export async function signUpAction(previous: LinkRequestState, form: FormData): Promise<LinkRequestState> {
  return actOnForm(previous, form, async () => {
    if (getEnvironment().SIGN_UP !== 'open') notFound();
    return requestLink(form, requestSignUp);
  });
}
