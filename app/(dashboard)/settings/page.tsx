import { notFound, redirect } from 'next/navigation';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { settingsSections } from './sections';

/** Redirects to the first section that this person may see. */
export default async function SettingsPage(): Promise<never> {
  const [first] = settingsSections(await requireSession());
  if (first === undefined) notFound();
  redirect(first.href);
}
