import type { Prisma } from '@/lib/platform/db/generated/client';
import type { Incident } from '@/lib/schemas/incident';

/** What `serializeIncident` needs beside the row. */
export const incidentInclude = {
  updates: { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] },
} satisfies Prisma.IncidentInclude;

type Row = Prisma.IncidentGetPayload<{ include: typeof incidentInclude }>;

/** The incident as the API answers it, its updates newest first. */
export function serializeIncident(row: Row): Incident {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    status: row.status,
    severity: row.severity,
    affectedMonitors: row.affectedMonitors,
    automatic: row.automatic,
    startedAt: row.startedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    postmortem: row.postmortem,
    postmortemPublished: row.postmortemPublishedAt !== null,
    updates: row.updates.map(({ id, status, message, author, createdAt }) => ({
      id,
      status,
      message,
      author,
      createdAt: createdAt.toISOString(),
    })),
  };
}
