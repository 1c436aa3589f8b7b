'use server';

import { redirect } from 'next/navigation';
import { endSession } from '@/app/(auth)/start-session';
import { keepTheme } from '@/app/theme-cookie';
import { readTheme, type Theme } from '@/components/shell/theme';

export async function setThemeAction(theme: Theme): Promise<void> {
  await keepTheme(readTheme(theme));
}

export async function signOutAction(): Promise<void> {
  await endSession();
  redirect('/sign-in');
}
