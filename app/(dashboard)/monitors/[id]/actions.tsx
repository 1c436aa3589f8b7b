'use server';

import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { CheckList } from '@/components/monitors/checks/check-list';
import { EvidenceSection } from '@/components/monitors/evidence/evidence-section';
import { formatMemberRule } from '@/components/monitors/group/rule-texts';
import { OutputSection } from '@/components/monitors/heartbeat/output-section';
import { formatPlan } from '@/components/monitors/heartbeat/plan-texts';
import { IncidentList } from '@/components/monitors/history/incident-list';
import { TransitionList } from '@/components/monitors/history/transition-list';
import { MonitorFacts } from '@/components/monitors/monitor-facts';
import { MonitorListeners } from '@/components/monitors/monitor-listeners';
import { PhaseSection } from '@/components/monitors/phases/phase-section';
import { formatProbing } from '@/components/monitors/regions/probed-by';
import { RememberedFold } from '@/components/ui/remembered-fold';
import { OPEN } from '@/components/ui/remembered-state';
import { isGroup, isProbed } from '@/lib/checks/types';
import { formatTiming } from '@/lib/core/time/duration';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import { listIncidentsOfMonitor } from '@/lib/domain/incidents/read-incidents';
import { explainListeners } from '@/lib/domain/listeners/read-listeners';
import { readReferences } from '@/lib/domain/monitors/dependencies/read-references';
import { readCompared } from '@/lib/domain/monitors/evidence/read-evidence';
import { readOutputs } from '@/lib/domain/monitors/evidence/read-outputs';
import { listFlappingTimes } from '@/lib/domain/monitors/history/flapping-times';
import { listTransitions } from '@/lib/domain/monitors/history/ledger';
import { readLastFailures, readPhases } from '@/lib/domain/monitors/history/read-phases';
import { listChecks } from '@/lib/domain/monitors/history/read-results';
import { readStanding } from '@/lib/domain/monitors/read-standings';
import { readTogether } from '@/lib/platform/db/read-together';
import type { Monitor } from '@/lib/schemas/monitor';
import { type MonitorView, monitorViewSchema } from '@/lib/schemas/monitor/monitor-view';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { enter, loadWorkerNotes } from '../../act';
import { readProbedRegions } from '../probed-regions';
import { hasProblem, INCIDENTS, loadMonitor, readRange } from './page-data';

const FACTS_COOKIE = 'pharos.facts';
const CHECKS = 20;
const CHANGES = 8;

/** What the last failure saw, or the check that was chosen; of a job, what it wrote. */
export async function loadEvidenceAction(id: string, query: unknown): Promise<ReactNode> {
  return section(id, query, async ({ ctx, monitor, view, now }) => {
    const isHidden = !permits(ctx, 'monitor.update');
    if (!isProbed(monitor)) {
      const outputs = await readOutputs(ctx, id, view.evidence);
      return <OutputSection id={id} view={view} outputs={outputs} isHidden={isHidden} now={now} />;
    }
    const compared = await readCompared(ctx, id, view.evidence);
    return <EvidenceSection id={id} view={view} compared={compared} isHidden={isHidden} now={now} />;
  });
}

/** The configuration, and who is notified of an outage now. */
export async function loadDetailsAction(id: string, query: unknown): Promise<ReactNode> {
  return section(id, query, async ({ ctx, monitor, now }) => {
    const readAll = (db: OrganizationContext['db']) => {
      const together = { ...ctx, db };
      return Promise.all([
        readStanding(together, id),
        readReferences(together, id),
        readProbedRegions(together),
      ]);
    };
    const [[{ certificateEnd }, references, probed], { listeners }, { regionNames }] = await Promise.all([
      readTogether(ctx.db, readAll),
      explainListeners(ctx, id, {}),
      loadWorkerNotes(),
    ]);
    const remembered = (await cookies()).get(FACTS_COOKIE)?.value;
    return (
      <>
        <RememberedFold
          title="Configuration"
          hint={
            isProbed(monitor)
              ? `Every ${formatTiming(monitor.interval * 1000)} from ${formatProbing(regionNames, probed, monitor.regions)}`
              : isGroup(monitor)
                ? formatMemberRule(monitor)
                : formatPlan(monitor)
          }
          cookie={FACTS_COOKIE}
          isOpen={remembered === undefined ? !hasProblem(monitor) : remembered === OPEN}
        >
          <MonitorFacts monitor={monitor} certificateEnd={certificateEnd} {...references} now={now} />
        </RememberedFold>
        <MonitorListeners id={id} listeners={listeners} />
      </>
    );
  });
}

/** Where checks spend their time. */
export async function loadPhasesAction(id: string, query: unknown): Promise<ReactNode> {
  return section(id, query, async ({ ctx, monitor, view, now }) => {
    const { range } = await readRange(ctx, monitor, view);
    const [summaries, failures, { regionNames }] = await Promise.all([
      readPhases(ctx, id, range),
      readLastFailures(ctx, id, range),
      loadWorkerNotes(),
    ]);
    return <PhaseSection summaries={summaries} failures={failures} names={regionNames} now={now} />;
  });
}

/** A page of state changes, and the newest incidents. */
export async function loadHistoryAction(id: string, query: unknown): Promise<ReactNode> {
  return section(id, query, async ({ ctx, view, now }) => {
    const [transitions, flapping, incidents, { regionNames }] = await Promise.all([
      listTransitions(ctx, id, { limit: CHANGES, cursor: view.changes ?? undefined }),
      listFlappingTimes(ctx, id),
      listIncidentsOfMonitor(ctx, id, INCIDENTS),
      loadWorkerNotes(),
    ]);
    return (
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <TransitionList
          id={id}
          view={view}
          page={transitions}
          flapping={flapping}
          names={regionNames}
          now={now}
        />
        <IncidentList incidents={incidents.items} hasMore={incidents.hasMore} id={id} now={now} />
      </div>
    );
  });
}

/** A page of checks. */
export async function loadChecksAction(id: string, query: unknown): Promise<ReactNode> {
  return section(id, query, async ({ ctx, monitor, view, now }) => {
    const { region = undefined, outcome = undefined, after } = view;
    const checks = await listChecks(ctx, id, { region, outcome, limit: CHECKS, cursor: after ?? undefined });
    const { regionNames } = await loadWorkerNotes();
    return <CheckList monitor={monitor} view={view} page={checks} names={regionNames} now={now} />;
  });
}

type Shown = { ctx: OrganizationContext; monitor: Monitor; view: MonitorView; now: Date };

/** A part of a monitor's page that is loaded once it is seen; `query` is that of the page. */
async function section(id: string, query: unknown, render: (shown: Shown) => Promise<ReactNode>) {
  await enter('monitor.read');
  const { ctx, found: monitor } = await loadMonitor(parseInput(nameOfObject, id));
  return render({ ctx, monitor, view: parseInput(monitorViewSchema, query), now: ctx.clock.now() });
}
