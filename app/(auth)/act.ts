import 'server-only';
import { refresh } from 'next/cache';
import { attemptForm, attemptResult } from '@/app/attempt';
import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import type { FormState } from '@/components/ui/forms/form-state';
import { admitVisitor } from '@/lib/web/http/sign-in/admit-visitor';

// Every server action of these pages begins with one of these functions, or with `admitVisitor` itself.

/** Runs an operation for a button, within the rate limit of the visitor. Returns an error message, or null. */
export async function act(run: () => Promise<unknown>): Promise<ActionProblem> {
  return (await actFor(run)).problem;
}

/** The same for a button whose page then shows what has changed. */
export async function actAndRefresh(run: () => Promise<unknown>): Promise<ActionProblem> {
  const problem = await act(run);
  if (problem === null) refresh();
  return problem;
}

/** The same for a button that shows its result. */
export function actFor<T>(run: () => Promise<T>): Promise<ActionResult<T>> {
  return attemptResult(() => admitted(run));
}

/** The same for a form, whose next state it returns. After an error, the form shows it and keeps its values. */
export function actOnForm<S extends FormState>(
  previous: FormState,
  form: FormData,
  run: () => Promise<S>,
): Promise<S | FormState> {
  return attemptForm(previous, form, () => admitted(run));
}

async function admitted<T>(run: () => Promise<T>): Promise<T> {
  await admitVisitor();
  return run();
}
