'use server';

import { refresh } from 'next/cache';
import type { SavedState } from '@/components/profile/section';
import { freshState, readText } from '@/components/ui/forms/form-state';
import { invalidState } from '@/lib/core/errors';
import {
  changeMailServer,
  completeUrl,
  readMailServer,
  requireUnlocked,
} from '@/lib/domain/mail-server/change-mail-server';
import { tryMailServer } from '@/lib/domain/mail-server/try-mail-server';
import { getEnvironment } from '@/lib/env';
import { mailServerSchema } from '@/lib/schemas/mail-server';
import { parseInput } from '@/lib/schemas/validation';
import { getWeb } from '@/lib/web/http/server-services';
import { requirePerson } from '@/lib/web/http/sign-in/confirm-person';
import { actOnForm } from '../../act';
import { readInstallation } from './installation';

/** Sends the person a test email through a mail server, and saves it once that was accepted. */
export async function saveMailServerAction(previous: SavedState, form: FormData): Promise<SavedState> {
  return actOnForm('mail-server.change', { previous, form }, async (ctx, session) => {
    const own = { ...ctx, installation: readInstallation() };
    const { mail } = own.installation;
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
    requireUnlocked((await readMailServer(own)).lock);
    const server = {
      url: completeUrl(input, mail.smtp?.url ?? null),
      from: mail.fixedSender ?? input.from,
    };
    const { SERVICE_NAME: serviceName } = getEnvironment();
    const problem = await tryMailServer(ctx, { ...server, to: session.email, serviceName });
    if (problem !== null)
      throw invalidState(`Not saved: the test email was not sent. The mail server: ${problem}`);
    await changeMailServer(own, server);
    await getWeb().services.mail.refresh();
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
    await getWeb().services.mail.refresh();
    refresh();
    return { ...freshState(), attempt: previous.attempt + 1, saved: 'This service sends no email now.' };
  });
}
