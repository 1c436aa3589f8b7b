import 'server-only';
import { refresh } from 'next/cache';
import { notFound } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requireSession } from '@/lib/web/http/dashboard-session';

/** An error message, or null. */
export type ActionProblem = string | null;

/** Runs a domain function for a button and refreshes the page. Returns an error message, or null. */
export async function act(run: (ctx: OrganizationContext) => Promise<unknown>): Promise<ActionProblem> {
  const { ctx } = await requireSession();
  const outcome = await attempt(() => run(ctx));
  if (!outcome.ok) return outcome.error.message;
  refresh();
  return null;
}

/** Awaits a read; shows the not-found page for NOT_FOUND. */
export async function orNotFound<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') notFound();
    throw error;
  }
}
