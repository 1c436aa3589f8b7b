import type { Fields } from '@/lib/domain/audit/describe-change';
import { type PageRow, serializeShown } from './page-row';

/** What the audit log calls a page: its name, for slugs change. */
export function auditSubject({ id, name }: Pick<PageRow, 'id' | 'name'>) {
  return { id, label: name };
}

/** The fields of a page that the audit log keeps. */
export function auditedFields(row: PageRow): Fields {
  const { id, createdAt, updatedAt, ...shown } = serializeShown(row);
  return { ...shown, monitors: row.monitors };
}
