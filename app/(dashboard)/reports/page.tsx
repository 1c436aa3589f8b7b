import { Download } from 'lucide-react';
import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { OutageTable } from '@/components/reports/outage-table';
import { PrintButton } from '@/components/reports/print-button';
import { ReportFilterForm } from '@/components/reports/report-filter-form';
import { ReportMailList } from '@/components/reports/report-mail-list';
import { ReportSummary } from '@/components/reports/report-summary';
import { GroupTable, MonitorTable } from '@/components/reports/uptime-table';
import { ListHeading } from '@/components/shell/list-heading';
import { Banner } from '@/components/ui/banner';
import { buttonLook } from '@/components/ui/button';
import { hrefWith } from '@/components/ui/navigation/href-with';
import { EmptyNote, Section } from '@/components/ui/section';
import { DomainError, formatProblem } from '@/lib/core/errors';
import { listTimeZones } from '@/lib/core/time/list-time-zones';
import { listTags } from '@/lib/domain/monitors/lists/list-monitors';
import { MAX_OUTAGES, readReport } from '@/lib/domain/reports/read-report';
import { listReportMails } from '@/lib/domain/reports/report-mails';
import { readPageSettings } from '@/lib/domain/status-pages/page-row';
import { listStatusPages } from '@/lib/domain/status-pages/read-status-pages';
import { getEnvironment } from '@/lib/env';
import { REPORT_TABLES, type Report, reportPageSchema } from '@/lib/schemas/reports/report';
import { formatCoverage, formatRange } from '@/lib/schemas/reports/report-texts';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { addReportMailAction, removeReportMailAction } from './actions';
import { toReportQuery } from './read-query';

export const metadata: Metadata = { title: 'Reports' };

const PATH = '/reports';

const TABLE_LABELS = { monitors: 'Monitors CSV', outages: 'Outages CSV' };

export default async function ReportsPage({ searchParams }: PageProps) {
  const { ctx, userId, email } = await requireSession();
  const page = reportPageSchema.parse(await searchParams);
  const now = ctx.clock.now();
  const query = toReportQuery(page, now);
  const [found, mails, tags, statusPages] = await Promise.all([
    readReport(ctx, query).catch(problemOf),
    listReportMails(ctx, userId),
    listTags(ctx),
    listStatusPages(ctx, readPageSettings(getEnvironment())),
  ]);
  const report = typeof found === 'string' ? null : found;
  const addresses = Object.entries(page).map(([name, value]) => [name, value?.toString()]);
  const shown = formatCoverage(query, statusPages.find(({ id }) => id === query.statusPage)?.name ?? null);
  const received = mails.map(({ statusPageName, ...mail }) => ({
    id: mail.id,
    covers: formatCoverage(mail, statusPageName),
  }));
  const exportHref = (table: string) =>
    hrefWith(`${PATH}/export`, { ...Object.fromEntries(addresses), table });
  return (
    <div className="flex flex-col gap-5">
      <ListHeading title="Reports" create={null}>
        {report && report.monitors.length > 0 ? (
          <div className="ml-auto flex flex-wrap gap-2 print:hidden">
            {REPORT_TABLES.map((table) => (
              <a key={table} href={exportHref(table)} download className={buttonLook()}>
                <Download />
                {TABLE_LABELS[table]}
              </a>
            ))}
            <PrintButton />
          </div>
        ) : null}
      </ListHeading>
      <ReportFilterForm
        path={PATH}
        page={page}
        query={query}
        tags={tags}
        statusPages={statusPages}
        now={now}
        timeZones={listTimeZones(page.timeZone)}
      />
      {report ? (
        <ReportBody report={report} isNarrowed={Boolean(page.tag ?? page.statusPage)} />
      ) : (
        <Banner tone="bad">{String(found)}</Banner>
      )}
      {ctx.mail.isOn ? (
        <Section title="Monthly email" className="print:hidden">
          <ReportMailList
            mails={received}
            current={received.some(({ covers }) => covers === shown) ? null : shown}
            search={hrefWith('', Object.fromEntries(addresses))}
            email={email}
            add={addReportMailAction}
            remove={removeReportMailAction}
          />
        </Section>
      ) : null}
    </div>
  );
}

function ReportBody({ report, isNarrowed }: { report: Report; isNarrowed: boolean }) {
  const { monitors, sections, tags, outages, total } = report;
  if (monitors.length === 0)
    return (
      <EmptyNote>
        {isNarrowed ? 'No monitors match. Choose another tag or status page.' : 'No monitors yet.'}
      </EmptyNote>
    );
  return (
    <>
      <p className="text-muted">{formatRange(report)}. Maintenance and time without data do not count.</p>
      <ReportSummary report={report} />
      <Section title="Monitors">
        <MonitorTable lines={monitors} />
      </Section>
      {sections.length > 0 ? (
        <Section title="Sections">
          <GroupTable label="Sections" first="Section" lines={sections} />
        </Section>
      ) : null}
      {tags.length > 1 ? (
        <Section title="Tags">
          <GroupTable label="Tags" first="Tag" lines={tags} />
        </Section>
      ) : null}
      <Section title="Outages">
        {outages.length === 0 ? <EmptyNote>No outages.</EmptyNote> : <OutageTable report={report} />}
        {outages.length < total.outages ? (
          <p className="text-xs text-muted">
            The newest {MAX_OUTAGES.toLocaleString('en')} of {total.outages.toLocaleString('en')} outages.
          </p>
        ) : null}
      </Section>
    </>
  );
}

/** What is wrong with the days or the size of a report, as the reader can correct it. */
function problemOf(error: unknown): string {
  if (error instanceof DomainError && error.code === 'VALIDATION_ERROR') return formatProblem(error);
  throw error;
}
