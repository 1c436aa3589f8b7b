import { redirect } from 'next/navigation';
import { requireSession } from '@/lib/web/http/dashboard-session';

export const dynamic = 'force-dynamic';

export default async function HomePage(): Promise<never> {
  await requireSession();
  redirect('/monitors');
}
