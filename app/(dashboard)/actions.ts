'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import { keepTheme } from '@/app/theme-cookie';
import { readTheme, type Theme } from '@/components/shell/theme';
import { findVisitorSession, requireSession } from '@/lib/http/dashboard-session';
import { clearSessionCookie } from '@/lib/http/session-cookies';
import { endSession } from '@/lib/people/sessions';

export async function setThemeAction(theme: Theme): Promise<void> {
  await keepTheme(readTheme(theme));
}

export async function signOutAction(): Promise<void> {
  const session = await findVisitorSession();
  if (session) await endSession(session.ctx, session.userId, session.id);
  await clearSessionCookie();
  redirect('/sign-in');
}

/** Draws the page that asks once more, with what is known now. */
export async function refreshAction(): Promise<void> {
  await requireSession();
  refresh();
}
