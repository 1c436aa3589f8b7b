import { invalidField } from '@/lib/core/errors';
import type { Incident } from '@/lib/platform/db/generated/client';
import { type Impacts, impactsSchema } from '@/lib/schemas/incidents/incident';

type Affected = Pick<Incident, 'affectedMonitors' | 'affectedComponents'>;

/**
 * The severities for single rows after a change: those that were given, or else those from before of what is still affected. Throws
 * VALIDATION_ERROR for a row that the incident does not affect.
 */
export function changeImpacts(given: Impacts | undefined, before: Impacts, affected: Affected): Impacts {
  const ids = new Set([...affected.affectedMonitors, ...affected.affectedComponents]);
  const foreign = Object.keys(given ?? {}).find((id) => !ids.has(id));
  if (foreign !== undefined) {
    throw invalidField('impacts', `names ${foreign}, which the incident does not affect`, 'custom');
  }
  return given ?? pickImpacts(before, ids);
}

/** The severities for some of the rows. */
export function pickImpacts(impacts: Impacts, ids: ReadonlySet<string>): Impacts {
  return Object.fromEntries(Object.entries(impacts).filter(([id]) => ids.has(id)));
}

/** The stored severities. */
export function readImpacts({ impacts = {} }: Partial<Pick<Incident, 'impacts'>>): Impacts {
  return impactsSchema.parse(impacts);
}
