import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { AudienceList } from '@/components/notifications/listeners/audience-list';
import { ListenerList } from '@/components/notifications/listeners/listener-list';
import { ListenersForm } from '@/components/notifications/listeners/listeners-form';
import { NobodyNotified } from '@/components/notifications/nobody-notified';
import { SectionTabs } from '@/components/notifications/section-tabs';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { ListHeading } from '@/components/shell/list-heading';
import { EmptyNote, Section } from '@/components/ui/section';
import { listTimeZones } from '@/lib/core/time/list-time-zones';
import { instantText } from '@/lib/core/time/zoned-time';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import { readAudience } from '@/lib/domain/listeners/read-audience';
import { explainListeners } from '@/lib/domain/listeners/read-listeners';
import { listMonitorNames } from '@/lib/domain/monitors/lists/list-monitors';
import { type ListenersView, listenersViewSchema } from '@/lib/schemas/webhooks/listeners';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { orNotFound } from '../../act';
import { refreshAction } from '../../actions';

export const metadata: Metadata = { title: 'Notifications' };

export default async function WhoIsNotifiedPage({ searchParams }: PageProps) {
  const { ctx } = await requireSession();
  const query = listenersViewSchema.parse(await searchParams);
  const [audience, monitors] = await Promise.all([readAudience(ctx), listMonitorNames(ctx)]);
  const mayCreate = permits(ctx, 'webhook.create');
  return (
    <div className="flex flex-col gap-4">
      <AutoRefresh refresh={refreshAction} />
      <ListHeading
        title="Notifications"
        create={mayCreate ? { href: '/notifications/new', label: 'Add a channel' } : null}
      />
      <SectionTabs />
      {audience.every(({ silence }) => silence !== null) ? <NobodyNotified mayCreate={mayCreate} /> : null}
      <Section title="Who is notified of what" gap="gap-2">
        <AudienceList audience={audience} names={new Map(monitors.map(({ id, name }) => [id, name]))} />
      </Section>
      <Section title="Preview" gap="gap-2">
        <p className="text-sm text-muted">Choose what happens, to see who would be notified and why.</p>
        {await renderPreview(ctx, query, monitors)}
      </Section>
    </div>
  );
}

/** Who would be notified of something that happens to one monitor. */
async function renderPreview(
  ctx: OrganizationContext,
  query: ListenersView,
  monitors: Awaited<ReturnType<typeof listMonitorNames>>,
) {
  const { event, severity, at, timeZone = 'UTC' } = query;
  const chosen = query.monitor ?? monitors[0]?.id;
  if (chosen === undefined) return <EmptyNote>No monitors yet.</EmptyNote>;
  const instant = at === undefined ? '' : instantText(at, timeZone);
  const asked = { event, severity, at: instant === '' ? undefined : new Date(instant) };
  const { listeners } = await orNotFound(explainListeners(ctx, chosen, asked));
  const count = listeners.filter(({ notified }) => notified).length;
  return (
    <>
      <ListenersForm
        path="/notifications"
        query={{ ...query, monitor: chosen }}
        monitors={monitors}
        timeZones={listTimeZones(timeZone)}
      />
      <div className="flex flex-col gap-2">
        <h3 className="text-sm font-semibold">
          {count} of {listeners.length} notified
        </h3>
        <ListenerList listeners={listeners} names={new Map(monitors.map(({ id, name }) => [id, name]))} />
        <p className="text-xs text-muted">
          {at === undefined ? 'If it happened now. ' : ''}Anyone notified of an incident is also notified when
          it ends, and members get its reminders.
        </p>
      </div>
    </>
  );
}
