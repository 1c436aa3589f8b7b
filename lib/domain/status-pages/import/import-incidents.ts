import { DomainError } from '@/lib/core/errors';
import { mapInTurns } from '@/lib/core/map-in-turns';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import {
  type ImportedRefs,
  type PastIncident,
  readImported,
  writeImported,
} from '@/lib/domain/incidents/write-imported';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import {
  type ImportedIncident,
  type ImportIncidents,
  type IncidentImport,
  importedIncidentSchema,
  MAX_IMPORTED_IN_ORGANIZATION,
  MAX_REFUSED_INCIDENTS,
  type RefusedIncident,
} from '@/lib/schemas/incidents/incident-import';
import { parseInput } from '@/lib/schemas/validation';
import { auditSubject, type PageRow } from '../page-row';
import { readMonitorNames } from '../public/read-public-incidents';
import { findOwnPage } from '../read-status-pages';
import { listRows, rowFinder } from '../sections/list-rows';

/** Invalid fields that a refusal names. */
const MAX_NAMED = 3;

type Refusal = Pick<RefusedIncident, 'code' | 'message'>;

type Outcome = { ref: string } & ({ incident: PastIncident } | { refusal: Refusal });

/**
 * Adds past incidents of another product to the history of a page, in a fixed number of statements. They are resolved, and nobody is
 * notified: no event, email or message follows. An incident whose `ref` was imported before stays as it is, so a second run changes nothing.
 * One that is not valid is returned with the reason, and holds up no other. Throws FORBIDDEN and NOT_FOUND.
 */
export async function importIncidents(
  ctx: OrganizationContext,
  slug: string,
  { source, incidents }: ImportIncidents,
): Promise<IncidentImport> {
  requirePermission(ctx, 'incident.import');
  const { organizationId } = ctx;
  const page = await findOwnPage(ctx, slug);
  const resolve = await openResolver(ctx, page);
  const outcomes = await mapInTurns(incidents, resolve);
  return ctx.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const refs = outcomes.map(({ ref }) => ref);
    const { created, existing, refused } = sortOut(outcomes, await readImported(tx, organizationId, refs));
    const counts = { created: created.length, existing, invalid: refused.length };
    if (created.length > 0) {
      await writeImported(tx, { organizationId, source, incidents: created });
      // Other pages have the same monitors.
      await notePagesChanged(tx, { organizationId });
      const after = { ...counts, source };
      await recordAudit(tx, ctx, { action: 'incident.import', subject: auditSubject(page), after });
    }
    return { ...counts, refused: refused.slice(0, MAX_REFUSED_INCIDENTS) };
  });
}

/** Returns what decides whether an incident can be imported into the page. */
async function openResolver(
  { db, clock }: OrganizationContext,
  page: PageRow,
): Promise<(sent: ImportIncidents['incidents'][number]) => Outcome> {
  const find = rowFinder(listRows(page, await readMonitorNames(db, page.monitors)));
  const monitorIds = new Set(page.monitors);
  const now = clock.now();
  return ({ ref, ...fields }) => {
    const read = readIncident({ ref, ...fields });
    if ('refusal' in read) return { ref, ...read };
    const { rows, impacts, resolvedAt, ...incident } = read.incident;
    if (resolvedAt === null) return { ref, refusal: NOT_RESOLVED };
    const wrong = findWrongTime({ ...incident, resolvedAt }, now);
    if (wrong !== null) return { ref, refusal: { code: 'invalid_time', message: wrong } };
    const affected = new Set(rows.map(find));
    const foreign =
      rows.find((name) => find(name) === undefined) ??
      Object.keys(impacts).find((name) => !affected.has(find(name)));
    if (foreign !== undefined) {
      const what = rows.includes(foreign) ? 'is not a row of the page' : 'is not one of its rows';
      return { ref, refusal: { code: 'unknown_row', message: `names “${foreign}”, which ${what}` } };
    }
    const ids = [...affected].filter((id) => id !== undefined);
    const resolved: PastIncident = {
      ...incident,
      resolvedAt,
      affectedMonitors: ids.filter((id) => monitorIds.has(id)),
      affectedComponents: ids.filter((id) => !monitorIds.has(id)),
      impacts: Object.fromEntries(Object.entries(impacts).map(([name, severity]) => [find(name), severity])),
    };
    return { ref, incident: resolved };
  };
}

const NOT_RESOLVED = {
  code: 'not_resolved',
  message: 'is not resolved; create it as an incident of your own',
} as const;

function readIncident(sent: unknown): { incident: ImportedIncident } | { refusal: Refusal } {
  try {
    return { incident: parseInput(importedIncidentSchema, sent) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const named = (error.details ?? []).slice(0, MAX_NAMED).map(({ path, message }) => `${path} ${message}`);
    return { refusal: { code: 'invalid', message: `is not valid: ${named.join(', ')}` } };
  }
}

type Times = Pick<PastIncident, 'startedAt' | 'resolvedAt' | 'updates'>;

/** What is wrong with the times of an incident, as a predicate; null if nothing is. */
function findWrongTime({ startedAt, resolvedAt, updates }: Times, now: Date): string | null {
  if (startedAt > resolvedAt) return 'starts after it is resolved';
  if (resolvedAt > now) return 'is resolved in the future';
  return updates.some(({ createdAt }) => createdAt > now) ? 'has an update in the future' : null;
}

const TOO_MANY = {
  code: 'too_many',
  message: `exceeds ${MAX_IMPORTED_IN_ORGANIZATION.toLocaleString('en')} imported incidents of an organization`,
} as const;

/** Those to create, and why others are not. What was imported before is not judged again: rows may have been renamed since. */
function sortOut(outcomes: readonly Outcome[], { count, refs }: ImportedRefs) {
  const taken = new Set(refs);
  const created: PastIncident[] = [];
  const refused: RefusedIncident[] = [];
  let existing = 0;
  for (const [index, outcome] of outcomes.entries()) {
    const { ref } = outcome;
    if (taken.has(ref)) {
      existing += 1;
    } else if ('refusal' in outcome) {
      refused.push({ index, ref, ...outcome.refusal });
    } else if (count + created.length >= MAX_IMPORTED_IN_ORGANIZATION) {
      refused.push({ index, ref, ...TOO_MANY });
    } else {
      taken.add(ref);
      created.push(outcome.incident);
    }
  }
  return { created, existing, refused };
}
