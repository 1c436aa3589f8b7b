'use server';

import { setTimeout as delay } from 'node:timers/promises';
import { refresh } from 'next/cache';
import type { SavedState } from '@/components/profile/section';
import type { TestMailResult } from '@/components/profile/test-mail-button';
import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import { freshState, readText, readTyped } from '@/components/ui/forms/form-state';
import { invalidState } from '@/lib/core/errors';
import { parseJson } from '@/lib/core/parse-json';
import { requireRecentFactor } from '@/lib/domain/context/recent-factor';
import { unlinkIdentity } from '@/lib/domain/members/identities/linked-identities';
import { changeMailPreferences } from '@/lib/domain/people/mail-preferences';
import { removePasskey, renamePasskey } from '@/lib/domain/people/passkeys/own-passkeys';
import { changePassword } from '@/lib/domain/people/passwords';
import { renamePerson } from '@/lib/domain/people/profile';
import { removeApp, renewRecoveryCodes } from '@/lib/domain/people/second-factor/enroll-second-factor';
import { endSession, endSessionsOf } from '@/lib/domain/people/sessions';
import { readTestMail, sendTestMail } from '@/lib/domain/people/test-mail';
import { addBrowser, removeBrowser, testBrowser } from '@/lib/domain/push/change-browsers';
import { ensurePushKey } from '@/lib/domain/push/push-keys';
import {
  changePasswordSchema,
  linkedAccountSchema,
  mailPreferencesSchema,
  profileSchema,
} from '@/lib/schemas/people';
import { pushTargetSchema } from '@/lib/schemas/push';
import { passkeyNameSchema } from '@/lib/schemas/sign-in/passkeys';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { requireOwnPassword } from '@/lib/web/http/sign-in/confirm-person';
import { startLinking } from '@/lib/web/http/sign-in/link-intent';
import { readOpenWays, requirePasswordSignIn } from '@/lib/web/http/sign-in/password-sign-in';
import { nameProvider } from '@/lib/web/http/sign-in/provider-sign-in';
import { act, actFor, actOnForm } from '../../act';

/** A worker usually sends an email within a second. */
const LOOK_EVERY_MS = 250;
const OUTCOME_LOOKS = 24;

export async function saveProfileAction(previous: SavedState, form: FormData): Promise<SavedState> {
  return actOnForm('session', { previous, form }, async (ctx, { userId }) => {
    const { name } = parseInput(profileSchema, { name: form.get('name') });
    await renamePerson(ctx, userId, name);
    refresh();
    return { ...freshState(readTyped(form)), saved: 'Saved.' };
  });
}

export async function saveEmailsAction(previous: SavedState, form: FormData): Promise<SavedState> {
  return actOnForm('session', { previous, form }, async (ctx, { userId }) => {
    const timeZone = form.get('digestTimeZone') || 'UTC';
    const wanted = {
      alertMail: form.get('alertMail') === 'on',
      alertRules: parseJson(readText(form, 'alertRules') || '[]'),
      digestTimeZone: form.get('digest') === 'on' ? timeZone : null,
    };
    await changeMailPreferences(ctx, userId, parseInput(mailPreferencesSchema, wanted));
    refresh();
    return { ...freshState(readTyped(form)), saved: 'Saved.' };
  });
}

/** Sends the person an email, and waits a few seconds for what the mail server responds. */
export async function sendTestMailAction(): Promise<ActionResult<TestMailResult>> {
  return actFor('session', async (ctx, { userId }) => {
    const email = await sendTestMail(ctx, userId);
    for (let looks = 0; looks < OUTCOME_LOOKS; looks++) {
      await delay(LOOK_EVERY_MS);
      const outcome = await readTestMail(ctx, email);
      if (outcome?.isSent || outcome?.error) return { email, ...outcome };
    }
    return { email, isSent: false, isFinal: false, error: null };
  });
}

/** The key by which the push service of a browser recognizes this installation. */
export async function readPushKeyAction(): Promise<ActionResult<string>> {
  return actFor('session', (ctx) => ensurePushKey(ctx));
}

/** Notifies the person in this browser from now on. */
export async function addBrowserAction(target: unknown): Promise<ActionProblem> {
  return act('session', (ctx, { id: sessionId, userId }) =>
    addBrowser(ctx, { userId, sessionId }, parseInput(pushTargetSchema, target)),
  );
}

export async function removeBrowserAction(id: string): Promise<ActionProblem> {
  return act('session', (ctx, { userId }) => removeBrowser(ctx, userId, parseInput(nameOfObject, id)));
}

/** Sends a test to one of the person's browsers, and waits for what the push service responds. */
export async function testBrowserAction(id: string): Promise<ActionProblem> {
  return act('session', (ctx, { userId }) => testBrowser(ctx, userId, parseInput(nameOfObject, id)));
}

export async function changePasswordAction(previous: SavedState, form: FormData): Promise<SavedState> {
  return actOnForm('session', { previous, form }, async (ctx, { id: sessionId, userId, email }) => {
    requirePasswordSignIn();
    const { currentPassword, newPassword } = parseInput(changePasswordSchema, {
      currentPassword: form.get('currentPassword'),
      newPassword: form.get('newPassword'),
    });
    await requireOwnPassword(ctx, { userId, email }, currentPassword);
    await changePassword(ctx, { userId, sessionId, newPassword, address: ctx.address ?? null });
    refresh();
    const saved = 'Password changed. Your other sessions have ended.';
    return { ...freshState(), attempt: previous.attempt + 1, saved };
  });
}

/** Creates new recovery codes, which are shown only once. */
export async function renewCodesAction(): Promise<ActionResult<string[]>> {
  return actFor('session', async (ctx, { userId: id, email }) => {
    const codes = await renewRecoveryCodes(ctx, { user: { id, email }, address: ctx.address ?? null });
    refresh();
    return codes;
  });
}

/** Removes the authenticator app. */
export async function removeFactorAction(): Promise<ActionProblem> {
  return act('session', (ctx, { userId: id, email }) =>
    removeApp(ctx, { user: { id, email }, address: ctx.address ?? null }),
  );
}

export async function renamePasskeyAction(id: string, name: string): Promise<ActionProblem> {
  return act('session', (ctx, { userId }) => {
    const chosen = parseInput(nameOfObject, id);
    return renamePasskey(ctx, { userId, id: chosen, ...parseInput(passkeyNameSchema, { name }) });
  });
}

export async function removePasskeyAction(id: string): Promise<ActionProblem> {
  return act('session', (ctx, { userId, email }) =>
    removePasskey(ctx, {
      user: { id: userId, email },
      id: parseInput(nameOfObject, id),
      address: ctx.address ?? null,
      ways: readOpenWays(),
    }),
  );
}

/** Signs the person out of another browser. */
export async function endSessionAction(id: string): Promise<ActionProblem> {
  return act('session', async (ctx, { id: own, userId }) => {
    const chosen = parseInput(nameOfObject, id);
    if (chosen === own) throw invalidState('This is your current session. Sign out instead.');
    await endSession(ctx, userId, chosen);
  });
}

/** Signs the person out everywhere else. */
export async function endOthersAction(): Promise<ActionProblem> {
  return act('session', (ctx, { id, userId }) => endSessionsOf(ctx.db, userId, { except: id }));
}

/** The account with which a provider sends the person back next is linked to them. */
export async function prepareLinkAction(): Promise<ActionProblem> {
  const { problem } = await actFor('session', (ctx, { id }) => {
    requireRecentFactor(ctx);
    return startLinking(id);
  });
  return problem;
}

export async function unlinkAction(account: unknown): Promise<ActionProblem> {
  return act('session', async (ctx, { userId }) => {
    const { issuer, subject } = parseInput(linkedAccountSchema, account);
    const providerName = nameProvider(issuer);
    const address = ctx.address ?? null;
    await unlinkIdentity(ctx, {
      issuer,
      subject,
      providerName,
      userId,
      address,
      ways: readOpenWays(),
    });
  });
}
