import 'server-only';
import { audienceOf } from '@/components/incidents/shown-on';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import { readAudiences } from '@/lib/domain/status-pages/public-address';
import { loaderOf } from '../act';

export const loadIncident = loaderOf(getIncident);

/** The status pages that show an incident. */
export async function loadAudience(id: string) {
  const { ctx, found } = await loadIncident(id);
  const { affectedMonitors, affectedComponents } = found;
  return audienceOf(await readAudiences(ctx), [...affectedMonitors, ...affectedComponents], found);
}
