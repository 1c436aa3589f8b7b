'use server';

import { refresh } from 'next/cache';
import type { SavedState } from '@/components/profile/section';
import { freshState, readText } from '@/components/ui/forms/form-state';
import { changeMailServer, saveMailServer } from '@/lib/domain/mail-server/change-mail-server';
import { getEnvironment } from '@/lib/env';
import { mailServerSchema } from '@/lib/schemas/mail-server';
import { parseInput } from '@/lib/schemas/validation';
import { requirePerson } from '@/lib/web/http/sign-in/confirm-person';
import { actOnForm } from '../../act';
import { readInstallation } from './installation';

/** Sends the person a test email through a mail server, and saves it once that was accepted. */
export async function saveMailServerAction(previous: SavedState, form: FormData): Promise<SavedState> {
  return actOnForm('mail-server.change', { previous, form }, async (ctx, session) => {
    const read = (name: string) => readText(form, name);
    const input = parseInput(mailServerSchema, {
      host: read('host'),
      port: read('port'),
      security: read('security'),
      user: read('user'),
      password: read('password'),
      from: read('from'),
    });
    await requirePerson(ctx, session, read('currentPassword'));
    const { SERVICE_NAME: serviceName } = getEnvironment();
    const own = { ...ctx, installation: readInstallation() };
    await saveMailServer(own, input, { to: session.email, serviceName });
    refresh();
    const saved = `Saved. A test email was sent to ${session.email}.`;
    return { ...freshState(), attempt: previous.attempt + 1, saved };
  });
}

/** Forgets the mail server: this service sends no email from then on. */
export async function clearMailServerAction(previous: SavedState, form: FormData): Promise<SavedState> {
  return actOnForm('mail-server.change', { previous, form }, async (ctx, session) => {
    await requirePerson(ctx, session, readText(form, 'clearPassword'));
    await changeMailServer({ ...ctx, installation: readInstallation() }, null);
    refresh();
    return { ...freshState(), attempt: previous.attempt + 1, saved: 'This service sends no email now.' };
  });
}
