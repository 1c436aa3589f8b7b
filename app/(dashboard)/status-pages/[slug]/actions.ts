'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import type { PageSaved } from '@/components/page-editor/page-editor';
import type { SubscriberImportState } from '@/components/page-editor/subscribers/subscriber-import';
import type { ActionProblem } from '@/components/ui/action-result';
import { type FormState, freshState, readTyped, refusedState } from '@/components/ui/forms/form-state';
import { DomainError, invalidField } from '@/lib/core/errors';
import { deleteStatusPage, updateStatusPage } from '@/lib/domain/status-pages/change-status-page';
import { readPageSettings } from '@/lib/domain/status-pages/page-row';
import { verifyCustomDomain } from '@/lib/domain/status-pages/verify-custom-domain';
import { importSubscribers } from '@/lib/domain/subscribers/import/import-subscribers';
import { removeSubscriber } from '@/lib/domain/subscribers/read-subscribers';
import { getEnvironment } from '@/lib/env';
import { updateStatusPageSchema } from '@/lib/schemas/status-pages/status-page';
import { importSubscribersSchema } from '@/lib/schemas/status-pages/subscriber-import';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { act, actionOn, actOutcome, formActionOn } from '../../act';
import { atFormFields, readChosenImages, readPageForm, uploadChosen } from '../read-page-form';

/** Updates a page as `PUT /status-pages/:slug` would. */
export async function updatePageAction(
  slug: string,
  previous: FormState,
  form: FormData,
): Promise<PageSaved> {
  const outcome = await actOutcome('status-page.update', async (ctx) => {
    const before = parseInput(nameOfObject, slug);
    const chosen = readChosenImages(form);
    const changes = parseInput(updateStatusPageSchema, readPageForm(form));
    const page = await updateStatusPage(ctx, before, changes, readPageSettings(getEnvironment()));
    return { page: await uploadChosen(ctx, page, chosen), isMoved: page.slug !== before };
  });
  if (!outcome.ok)
    return { state: refusedState(previous, atFormFields(outcome.error), readTyped(form)), page: null };
  // After a slug change this page no longer exists; the editor goes to the new one.
  if (!outcome.value.isMoved) refresh();
  return { state: freshState(), page: outcome.value.page };
}

/** Deletes a page after its slug was confirmed, then returns to the list. */
export const deletePageAction = formActionOn('status-page.delete', async (ctx, slug, form) => {
  if (String(form.get('confirmation') ?? '').trim() !== slug) throw slugMismatch(slug);
  await deleteStatusPage(ctx, slug);
  redirect('/status-pages');
});

/** Sets, changes, or removes the domain of a page. */
export const setDomainAction = formActionOn('status-page.update', async (ctx, slug, form) => {
  const typed = String(form.get('customDomain') ?? '').trim();
  const changes = parseInput(updateStatusPageSchema, { customDomain: typed || null });
  const { customDomain } = await updateStatusPage(ctx, slug, changes, readPageSettings(getEnvironment()));
  refresh();
  return freshState({ customDomain: customDomain ?? '' });
});

/** Checks the domain's DNS record now. */
export const checkDomainAction = actionOn('status-page.update', (ctx, slug) =>
  verifyCustomDomain(ctx, slug, readPageSettings(getEnvironment())),
);

export async function removeSubscriberAction(slug: string, id: string): Promise<ActionProblem> {
  return act('subscriber.remove', (ctx) =>
    removeSubscriber(ctx, parseInput(nameOfObject, slug), parseInput(nameOfObject, id)),
  );
}

/** Imports addresses like `POST /status-pages/:slug/subscribers/import`; the form shows what became of them. */
export const importSubscribersAction = formActionOn(
  'subscriber.import',
  async (ctx, slug, form): Promise<SubscriberImportState> => {
    const { csv, language, confirmed, source } = readTyped(form);
    // Without scripts, the source shows only after a first attempt.
    const declared = confirmed === 'on' ? { confirmed: true, source: source || undefined } : {};
    if (confirmed === 'on' && !source?.trim()) throw invalidField('source', 'Enter where they confirmed it.');
    const imported = await importSubscribers(
      ctx,
      slug,
      parseInput(importSubscribersSchema, { csv, language, ...declared }),
    );
    refresh();
    // The list stays as it was typed: refused lines can be corrected in place.
    return { ...freshState({ language: language ?? '', source: source ?? '' }), imported };
  },
);

function slugMismatch(slug: string): DomainError {
  const details = [{ path: 'confirmation', code: 'invalid', message: `must be “${slug}”` }];
  return new DomainError('VALIDATION_ERROR', 'The slug does not match.', details);
}
