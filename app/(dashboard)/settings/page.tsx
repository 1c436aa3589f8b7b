import { notFound, redirect } from 'next/navigation';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { settingsSections } from './sections';

/** Redirects to the first section that this person may see. */
export default async function SettingsPage(): Promise<never> {
  const { ctx } = await requireSession();
  const [first] = settingsSections(ctx);
  if (first === undefined) notFound();
  redirect(first.href);
}
