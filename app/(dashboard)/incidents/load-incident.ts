import 'server-only';
import { cache } from 'react';
import { audienceOf } from '@/components/incidents/audience-of';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import { readAudiences } from '@/lib/domain/status-pages/read-audiences';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { orNotFound } from '../or-not-found';

/** The incident of an address, once a request, for its title and its page. */
export const loadIncident = cache(async (id: string) => {
  const { ctx } = await requireSession();
  return { ctx, incident: await orNotFound(getIncident(ctx, id)) };
});

/** The status pages that show an incident. */
export async function loadAudience(id: string) {
  const { ctx, incident } = await loadIncident(id);
  return audienceOf(await readAudiences(ctx), incident.affectedMonitors);
}
