import 'server-only';
import { refresh } from 'next/cache';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { attempt, attemptForm, attemptResult, type Outcome } from '@/app/attempt';
import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import type { FormState } from '@/components/ui/forms/form-state';
import { isNotFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { WorkerNotes } from '@/lib/domain/monitors/worker-notes';
import { joinReads } from '@/lib/platform/db/read-together';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import type { Session } from '@/lib/web/auth/session';
import { admit, type Requirement } from '@/lib/web/http/dashboard-gate';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { readFrame } from './read-frame';

/** A domain function of the signed-in person. */
type Run<T> = (ctx: OrganizationContext, session: Session) => Promise<T>;

/**
 * The signed-in person, admitted to a server action: with a session, within the rate limit, and with the permission. Every action
 * of the dashboard begins with this, directly or through the functions below, before it reads its arguments.
 */
export async function enter(requires: Requirement): Promise<Session> {
  const session = await requireSession();
  await admit(session, requires);
  return session;
}

/** Runs a domain function for a button and refreshes the page. Returns an error message, or null. */
export async function act(requires: Requirement, run: Run<unknown>): Promise<ActionProblem> {
  const { problem } = await actFor(requires, run);
  if (problem === null) refresh();
  return problem;
}

/** Runs a domain function for a button that shows its result. */
export function actFor<T>(requires: Requirement, run: Run<T>): Promise<ActionResult<T>> {
  return attemptResult(() => runAs(requires, run));
}

/** Runs a domain function for an action that shows errors in its own way. */
export function actOutcome<T>(requires: Requirement, run: Run<T>): Promise<Outcome<T>> {
  return attempt(() => runAs(requires, run));
}

/** Runs a domain function that returns the next state of a form. After an error, the form shows it and keeps its values. */
export function actOnForm<S extends FormState>(
  requires: Requirement,
  { previous, form }: { previous: FormState; form: FormData },
  run: Run<S>,
): Promise<S | FormState> {
  return attemptForm(previous, form, () => runAs(requires, run));
}

async function runAs<T>(requires: Requirement, run: Run<T>): Promise<T> {
  const session = await enter(requires);
  return run(session.ctx, session);
}

/** The action of a button about one object: validates its ID, and runs a domain function like `act`. */
export function actionOn(
  requires: Requirement,
  run: (ctx: OrganizationContext, id: string) => Promise<unknown>,
) {
  return (id: string): Promise<ActionProblem> =>
    act(requires, (ctx) => run(ctx, parseInput(nameOfObject, id)));
}

/** The action of a form: runs a domain function like `actOnForm`. */
export function formAction<S extends FormState>(
  requires: Requirement,
  run: (ctx: OrganizationContext, form: FormData) => Promise<S>,
) {
  return (previous: FormState, form: FormData) =>
    actOnForm(requires, { previous, form }, (ctx) => run(ctx, form));
}

/** The action of a form about one object, whose ID it validates. */
export function formActionOn<S extends FormState>(
  requires: Requirement,
  run: (ctx: OrganizationContext, id: string, form: FormData) => Promise<S>,
) {
  return (id: string, previous: FormState, form: FormData) =>
    actOnForm(requires, { previous, form }, (ctx) => run(ctx, parseInput(nameOfObject, id), form));
}

/** Awaits a read; shows the not-found page for NOT_FOUND. */
export async function orNotFound<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (isNotFound(error)) notFound();
    throw error;
  }
}

/** Reads the object of a URL, once per request for its layout, title, and page; shows the not-found page if it is missing. */
export function loaderOf<T>(get: (ctx: OrganizationContext, id: string) => Promise<T>) {
  return cache(async (id: string) => {
    const { ctx, joining } = await loadContext();
    return { ctx, found: await orNotFound(get(joining, id)) };
  });
}

/** What is around the page, once per request. */
export const loadFrame = cache(async () => {
  const { joining, userId } = await loadContext();
  return readFrame(joining, userId);
});

/** The context of this request, and the same for what its layout and its page read first, in one statement. */
const loadContext = cache(async () => {
  const { ctx, userId } = await requireSession();
  return { ctx, userId, joining: { ...ctx, db: joinReads(ctx.db) } };
});

/** Whether anyone of the organization is notified of anything, once per request. */
export async function loadSomeoneNotified(): Promise<boolean> {
  return (await loadFrame()).someoneNotified;
}

/** The state of the workers, once per request. */
export async function loadWorkerNotes(): Promise<WorkerNotes> {
  return (await loadFrame()).workers;
}
