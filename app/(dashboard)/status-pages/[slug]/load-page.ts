import 'server-only';
import { cache } from 'react';
import { getEnvironment } from '@/lib/env';
import { requireSession } from '@/lib/http/dashboard-session';
import { readDomainSettings } from '@/lib/status-pages/domain-settings';
import { getStatusPage } from '@/lib/status-pages/read-status-pages';
import { orNotFound } from '../../or-not-found';

/** The page that an address is about, read once a request for the title, the frame and what stands in it. */
export const loadPage = cache(async (slug: string) => {
  const { ctx } = await requireSession();
  const settings = readDomainSettings(getEnvironment());
  return { ctx, page: await orNotFound(getStatusPage(ctx, slug, settings)) };
});
