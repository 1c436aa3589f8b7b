'use server';

import { redirect } from 'next/navigation';
import { actFor, actOnForm } from '@/app/(auth)/act';
import { type FormState, readText, readTyped } from '@/components/ui/forms/form-state';
import { parseJson } from '@/lib/core/parse-json';
import { passkeyUseSchema } from '@/lib/schemas/sign-in/passkeys';
import { parseInput } from '@/lib/schemas/validation';
import { beginVisitorPasskeyUse, signInVisitorByPasskey } from '@/lib/web/http/sign-in/visitor-passkeys';
import { safePath } from './safe-path';

/** What this browser needs to ask for a passkey: to sign in, or as a second factor. */
export async function beginPasskeyUseAction() {
  return actFor(beginVisitorPasskeyUse);
}

/** Signs in with a passkey alone and redirects to the requested page. */
export async function signInByPasskeyAction(previous: FormState, form: FormData): Promise<FormState> {
  return actOnForm(previous, form, async () => {
    await signInVisitorByPasskey(parseInput(passkeyUseSchema, parseJson(readText(form, 'passkey'))));
    redirect(safePath(readTyped(form).callbackUrl));
  });
}
