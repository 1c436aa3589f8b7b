'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import { endVisitorSession } from '@/app/(auth)/session';
import { keepTheme } from '@/app/theme-cookie';
import { readTheme, type Theme } from '@/components/shell/theme';
import { enter } from './act';

export async function setThemeAction(theme: Theme): Promise<void> {
  await keepTheme(readTheme(theme));
}

export async function signOutAction(): Promise<void> {
  await endVisitorSession();
  redirect('/sign-in');
}

/** Refreshes the current page. */
export async function refreshAction(): Promise<void> {
  await enter('session');
  refresh();
}
