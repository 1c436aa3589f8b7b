import type { AuditPage } from '@/lib/schemas/audit';
import { formatCursor } from '@/lib/schemas/cursor';

/** The address at `path` of what `query` asks of the log. */
export function auditAddress(path: string, { after, ...filter }: AuditPage): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value) search.set(name, value);
  if (after) search.set('after', formatCursor(after));
  return search.size > 0 ? `${path}?${search}` : path;
}

/** Whether anything but the whole log is asked for. */
export function isNarrowed({ after: _, ...filter }: AuditPage): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
