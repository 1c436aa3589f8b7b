'use server';

import { redirect } from 'next/navigation';
import { actFor, actOnForm } from '@/app/(auth)/act';
import type { EnrollState } from '@/components/auth/enroll-form';
import { freshState, readText, readTyped } from '@/components/ui/forms/form-state';
import { parseJson } from '@/lib/core/parse-json';
import { newPasskeySchema, passkeyNameSchema } from '@/lib/schemas/sign-in/passkeys';
import { parseInput } from '@/lib/schemas/validation';
import { addVisitorPasskey, beginVisitorPasskey } from '@/lib/web/http/sign-in/visitor-passkeys';
import { safePath } from '../safe-path';

/** What this browser needs to create a passkey. */
export async function beginPasskeyAction() {
  return actFor(beginVisitorPasskey);
}

/** Adds the passkey that this browser created, and signs in a person whose sign-in waited for it. Returns new recovery codes. */
export async function addPasskeyAction(previous: EnrollState, form: FormData): Promise<EnrollState> {
  return actOnForm(previous, form, async () => {
    const { name } = parseInput(passkeyNameSchema, { name: form.get('name') });
    const response = parseInput(newPasskeySchema, parseJson(readText(form, 'passkey')));
    const recoveryCodes = await addVisitorPasskey({ response, name });
    if (recoveryCodes.length === 0) redirect(safePath(readTyped(form).callbackUrl));
    return { ...freshState(), recoveryCodes };
  });
}
