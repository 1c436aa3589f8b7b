import 'server-only';
import { cache } from 'react';
import { audienceOf } from '@/components/incidents/shown-on';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import { readAudiences } from '@/lib/domain/status-pages/public-address';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { orNotFound } from '../act';

/** The incident of a URL, read once per request for the title and the page. */
export const loadIncident = cache(async (id: string) => {
  const { ctx } = await requireSession();
  return { ctx, incident: await orNotFound(getIncident(ctx, id)) };
});

/** The status pages that show an incident. */
export async function loadAudience(id: string) {
  const { ctx, incident } = await loadIncident(id);
  return audienceOf(await readAudiences(ctx), incident.affectedMonitors);
}
