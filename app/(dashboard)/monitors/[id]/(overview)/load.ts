import 'server-only';
import { cache } from 'react';
import { requireSession } from '@/lib/http/dashboard-session';
import { getMonitor } from '@/lib/monitors/get-monitor';
import { orNotFound } from '../../../or-not-found';

/** The monitor that the address names, once a request: for the layout, the title and the page. */
export const load = cache(async (id: string) => {
  const { ctx } = await requireSession();
  return { ctx, monitor: await orNotFound(getMonitor(ctx, id)) };
});
