'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import { endVisitorSession } from '@/app/(auth)/session';
import { keepTheme } from '@/app/theme-cookie';
import { readTheme, type Theme } from '@/components/shell/theme';
import { countDownMonitors } from '@/lib/domain/monitors/count-down';
import { enter } from './act';

export async function setThemeAction(theme: Theme): Promise<void> {
  await keepTheme(readTheme(theme));
}

export async function signOutAction(): Promise<void> {
  await endVisitorSession();
  redirect('/sign-in');
}

/** How many monitors are down, for the tab of the browser. */
export async function countDownAction(): Promise<number> {
  const { ctx } = await enter('monitor.read');
  return countDownMonitors(ctx);
}

/** Refreshes the current page. */
export async function refreshAction(): Promise<void> {
  await enter('session');
  refresh();
}
