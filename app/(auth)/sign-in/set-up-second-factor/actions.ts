'use server';

import { actOnForm } from '@/app/(auth)/act';
import type { EnrollState } from '@/components/auth/enroll-form';
import { freshState } from '@/components/ui/forms/form-state';
import { factorCodeSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { enrollVisitorApp } from '@/lib/web/http/sign-in/visitor-sign-in';

/** Sets up an authenticator app, and signs in a person whose sign-in waited for it. Returns the recovery codes, if these are new. */
export async function enrollAction(previous: EnrollState, form: FormData): Promise<EnrollState> {
  return actOnForm(previous, form, async () => {
    const { code } = parseInput(factorCodeSchema, { code: form.get('code') });
    return { ...freshState(), recoveryCodes: await enrollVisitorApp(code) };
  });
}
