import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { ListenerList } from '@/components/notifications/listeners/listener-list';
import { ListenersForm } from '@/components/notifications/listeners/listeners-form';
import { SectionTabs } from '@/components/notifications/section-tabs';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { EmptyNote, Section } from '@/components/ui/section';
import { listTimeZones } from '@/lib/core/time/list-time-zones';
import { instantText } from '@/lib/core/time/zoned-time';
import { explainListeners } from '@/lib/domain/listeners/read-listeners';
import { listMonitorNames } from '@/lib/domain/monitors/lists/list-monitors';
import { listenersViewSchema } from '@/lib/schemas/webhooks/listeners';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { orNotFound } from '../../act';
import { refreshAction } from '../../actions';

export const metadata: Metadata = { title: 'Who is notified' };

export default async function ListenersPage({ searchParams }: PageProps) {
  const { ctx } = await requireSession();
  const query = listenersViewSchema.parse(await searchParams);
  const { event, severity, at, timeZone = 'UTC' } = query;
  const monitors = await listMonitorNames(ctx);
  const chosen = query.monitor ?? monitors[0]?.id;
  const instant = at === undefined ? '' : instantText(at, timeZone);
  const asked = { event, severity, at: instant === '' ? undefined : new Date(instant) };
  const shown = chosen === undefined ? null : await orNotFound(explainListeners(ctx, chosen, asked));
  const count = shown?.listeners.filter(({ notified }) => notified).length ?? 0;
  return (
    <div className="flex flex-col gap-4">
      <AutoRefresh refresh={refreshAction} />
      <h1 className="flex min-h-8 items-center text-lg font-semibold">Notifications</h1>
      <SectionTabs />
      {shown === null ? (
        <EmptyNote>No monitors yet.</EmptyNote>
      ) : (
        <>
          <ListenersForm
            path="/notifications/listeners"
            query={{ ...query, monitor: chosen }}
            monitors={monitors}
            timeZones={listTimeZones(timeZone)}
          />
          <Section title={`${count} of ${shown.listeners.length} notified`} gap="gap-2">
            <ListenerList
              listeners={shown.listeners}
              names={new Map(monitors.map(({ id, name }) => [id, name]))}
            />
            <p className="text-xs text-muted">
              {at === undefined ? 'If it happened now. ' : ''}Anyone notified of an incident is also notified
              when it ends, and members get its reminders.
            </p>
          </Section>
        </>
      )}
    </div>
  );
}
