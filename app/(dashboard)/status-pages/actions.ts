'use server';

import { headers } from 'next/headers';
import { attempt } from '@/app/attempt';
import type { PageSaved } from '@/components/page-editor/page-editor';
import type { Drawn } from '@/components/page-editor/use-preview';
import { translatorOf } from '@/components/status-page/translator';
import { type FormState, freshState, readTyped, refusedState } from '@/components/ui/form-state';
import { getEnvironment } from '@/lib/env';
import { requireSession } from '@/lib/http/dashboard-session';
import { negotiateLanguage } from '@/lib/schemas/language';
import { pagePreviewSchema } from '@/lib/schemas/page-preview';
import { createStatusPageSchema } from '@/lib/schemas/status-page';
import { parseInput } from '@/lib/schemas/validation';
import { createStatusPage } from '@/lib/status-pages/create-status-page';
import { readDomainSettings } from '@/lib/status-pages/domain-settings';
import { previewPage } from '@/lib/status-pages/preview-page';
import { drawPreview } from './draw-preview';
import { atFormFields, readPageForm } from './read-page-form';

/** Makes a page as `POST /status-pages` would. */
export async function createPageAction(previous: FormState, form: FormData): Promise<PageSaved> {
  const { ctx } = await requireSession();
  const outcome = await attempt(async () => {
    const input = parseInput(createStatusPageSchema, readPageForm(form));
    return createStatusPage(ctx, input, readDomainSettings(getEnvironment()));
  });
  if (!outcome.ok)
    return { state: refusedState(previous, atFormFields(outcome.error), readTyped(form)), slug: null };
  return { state: freshState(), slug: outcome.value.slug };
}

/** Draws the public page from a form that is not saved, for who fills it in; `unsaved` is a `PagePreview`, still to be parsed. */
export async function previewPageAction(unsaved: unknown): Promise<Drawn> {
  const { ctx } = await requireSession();
  const language = negotiateLanguage((await headers()).get('accept-language'));
  const outcome = await attempt(async () => {
    const { scheme, ...preview } = parseInput(pagePreviewSchema, unsaved);
    return drawPreview(await previewPage(ctx, preview), scheme, translatorOf(language));
  });
  return outcome.ok ? { html: outcome.value, problem: null } : { html: null, problem: outcome.error.message };
}
