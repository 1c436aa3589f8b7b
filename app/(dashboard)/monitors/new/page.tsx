import { ChevronLeft } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import type { FormChoices } from '@/components/monitors/form-choices';
import { MonitorForm } from '@/components/monitors/monitor-form';
import { Banner } from '@/components/ui/banner';
import type { OrganizationContext } from '@/lib/context/organization-context';
import { permits } from '@/lib/context/permissions';
import { requireSession } from '@/lib/http/dashboard-session';
import { PLANS } from '@/lib/plans/catalogue';
import { INTERVALS, METHODS, MONITOR_TYPES } from '@/lib/schemas/monitor-fields';
import { REGIONS } from '@/lib/schemas/regions';
import { createMonitorAction } from './actions';
import { initialValues } from './initial-values';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'New monitor' };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function NewMonitorPage({ searchParams }: Props) {
  const { ctx } = await requireSession();
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-5">
      <div className="flex flex-col gap-2">
        <Link
          prefetch={false}
          href="/monitors"
          className="flex items-center gap-1 self-start text-sm text-muted hover:text-ink"
        >
          <ChevronLeft className="size-4" aria-hidden="true" />
          Monitors
        </Link>
        <h1 className="text-lg font-semibold">New monitor</h1>
      </div>
      {permits(ctx, 'monitor.create') ? (
        <MonitorForm
          create={createMonitorAction}
          initial={initialValues(await searchParams)}
          choices={await readChoices(ctx)}
        />
      ) : (
        <Banner tone="note">Your role is viewer, which may only read. Ask an admin for another role.</Banner>
      )}
    </div>
  );
}

async function readChoices({ db, organizationId }: OrganizationContext): Promise<FormChoices> {
  const where = { id: organizationId };
  const { plan } = await db.organization.findUniqueOrThrow({ where, select: { plan: true } });
  return {
    types: MONITOR_TYPES,
    intervals: INTERVALS,
    methods: METHODS,
    regions: REGIONS.map(({ id, location }) => ({
      id,
      location,
      isInPlan: PLANS[plan].regions.includes(id),
    })),
  };
}
