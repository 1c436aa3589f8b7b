import { Download } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { PageProps } from '@/app/page-props';
import { AuditFilterForm } from '@/components/audit/audit-filter-form';
import { AuditList, auditAddress } from '@/components/audit/audit-list';
import { buttonLook } from '@/components/ui/button';
import { SettingsSection } from '@/components/ui/settings-section';
import { listAudit } from '@/lib/domain/audit/read-audit';
import { permits } from '@/lib/domain/context/permissions';
import { auditPageSchema, pageFilter } from '@/lib/schemas/audit';
import { requireSession } from '@/lib/web/http/dashboard-session';

export const metadata: Metadata = { title: 'Audit log' };

const PAGE = 50;
const PATH = '/settings/audit';

export default async function AuditPage({ searchParams }: PageProps) {
  const { ctx } = await requireSession();
  if (!permits(ctx, 'audit.read')) notFound();
  const query = auditPageSchema.parse(await searchParams);
  const page = await listAudit(ctx, { ...pageFilter(query), limit: PAGE, cursor: query.after });
  return (
    <SettingsSection
      title="Audit log"
      lead="Changes by members and API keys, kept for 400 days."
      isWide
      aside={
        page.items.length > 0 ? (
          <a
            href={auditAddress(`${PATH}/export`, { ...query, after: undefined })}
            download
            className={buttonLook()}
          >
            <Download />
            Download CSV
          </a>
        ) : null
      }
    >
      <AuditFilterForm path={PATH} query={query} />
      <AuditList path={PATH} query={query} page={page} now={ctx.clock.now()} />
    </SettingsSection>
  );
}
