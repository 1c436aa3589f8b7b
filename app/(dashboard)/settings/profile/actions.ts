'use server';

import { refresh } from 'next/cache';
import { attempt } from '@/app/attempt';
import type { SavedState } from '@/components/profile/section';
import { readTyped, refusedState } from '@/components/ui/forms/form-state';
import { DomainError } from '@/lib/core/errors';
import { renamePerson, setAlertMail } from '@/lib/domain/people/profile';
import { endSession, endSessionsOf } from '@/lib/domain/people/sessions';
import { changePassword, checkOwnPassword, wrongPassword } from '@/lib/domain/people/set-password';
import { changePasswordSchema, profileSchema } from '@/lib/schemas/people';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { countedAddress } from '@/lib/web/http/address/request-address';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { getPasswordThrottle } from '@/lib/web/http/password-throttle';

export async function saveProfileAction(previous: SavedState, form: FormData): Promise<SavedState> {
  const { ctx, userId } = await requireSession();
  const outcome = await attempt(async () => {
    const { name } = parseInput(profileSchema, { name: form.get('name') });
    await renamePerson(ctx, userId, name);
    await setAlertMail(ctx, userId, form.get('alertMail') === 'on');
  });
  if (!outcome.ok) return { ...refusedState(previous, outcome.error, readTyped(form)), saved: null };
  refresh();
  return { ...previous, message: null, errors: {}, values: readTyped(form), saved: 'Saved.' };
}

/** Wrong current passwords are throttled like those of the sign-in form, because a session may be left open. */
export async function changePasswordAction(previous: SavedState, form: FormData): Promise<SavedState> {
  const { id: sessionId, ctx, userId, email } = await requireSession();
  const outcome = await attempt(async () => {
    const { currentPassword, newPassword } = parseInput(changePasswordSchema, {
      currentPassword: form.get('currentPassword'),
      newPassword: form.get('newPassword'),
    });
    const address = ctx.address ?? null;
    const tried = { email, address: address && countedAddress(address), knownBrowser: userId };
    const isRight = await getPasswordThrottle().guard(tried, () =>
      checkOwnPassword(ctx, userId, currentPassword),
    );
    if (isRight === null) throw wrongPassword();
    await changePassword(ctx, { userId, sessionId, newPassword, address });
  });
  if (!outcome.ok) return { ...refusedState(previous, outcome.error, {}), saved: null };
  refresh();
  const saved = 'Password changed. Your other sessions have ended.';
  return { ...previous, attempt: previous.attempt + 1, message: null, errors: {}, saved };
}

/** Signs the person out of another browser. Returns an error message, or null on success. */
export async function endSessionAction(id: string): Promise<string | null> {
  const { id: own, ctx, userId } = await requireSession();
  const outcome = await attempt(async () => {
    const chosen = parseInput(nameOfObject, id);
    if (chosen === own) throw new DomainError('CONFLICT', 'This is your current session. Sign out instead.');
    await endSession(ctx, userId, chosen);
  });
  if (!outcome.ok) return outcome.error.message;
  refresh();
  return null;
}

/** Signs the person out everywhere else. Returns an error message, or null on success. */
export async function endOthersAction(): Promise<string | null> {
  const { id, ctx, userId } = await requireSession();
  const outcome = await attempt(() => endSessionsOf(ctx.db, userId, { except: id }));
  if (!outcome.ok) return outcome.error.message;
  refresh();
  return null;
}
