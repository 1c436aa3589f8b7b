'use server';

import type { PageSaved } from '@/components/page-editor/page-editor';
import { type FormState, freshState, readTyped, refusedState } from '@/components/ui/forms/form-state';
import { createStatusPage } from '@/lib/domain/status-pages/change-status-page';
import { readPageSettings } from '@/lib/domain/status-pages/page-row';
import { getEnvironment } from '@/lib/env';
import { createStatusPageSchema } from '@/lib/schemas/status-pages/status-page';
import { parseInput } from '@/lib/schemas/validation';
import { actOutcome } from '../act';
import { atFormFields, readChosenImages, readPageForm, uploadChosen } from './read-page-form';

/** Creates a page as `POST /status-pages` would. */
export async function createPageAction(previous: FormState, form: FormData): Promise<PageSaved> {
  const outcome = await actOutcome('status-page.create', async (ctx) => {
    const chosen = readChosenImages(form);
    const input = parseInput(createStatusPageSchema, readPageForm(form));
    const page = await createStatusPage(ctx, input, readPageSettings(getEnvironment()));
    return uploadChosen(ctx, page, chosen);
  });
  if (!outcome.ok)
    return { state: refusedState(previous, atFormFields(outcome.error), readTyped(form)), page: null };
  return { state: freshState(), page: outcome.value };
}
