import 'server-only';
import { cookies } from 'next/headers';
import { readTheme, type Theme } from '@/components/shell/theme';

const NAME = 'theme';
const YEAR_S = 365 * 24 * 3600;

/** The theme chosen in this browser. A cookie, so that the first paint is right without scripts. */
export async function getTheme(): Promise<Theme> {
  return readTheme((await cookies()).get(NAME)?.value);
}

/** Remembers the theme for this browser. */
export async function keepTheme(theme: Theme): Promise<void> {
  (await cookies()).set(NAME, theme, { maxAge: YEAR_S, sameSite: 'lax', httpOnly: true, path: '/' });
}
