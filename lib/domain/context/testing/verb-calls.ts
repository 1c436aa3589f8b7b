import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { isAnyoneNotified, readAudience } from '@/lib/domain/listeners/read-audience';
import { readCandidates } from '@/lib/domain/listeners/read-candidates';
import { explainListeners, readListeners } from '@/lib/domain/listeners/read-listeners';
import {
  deleteMaintenance,
  endActiveMaintenance,
  updateMaintenance,
} from '@/lib/domain/maintenance/change-maintenance';
import { createMaintenance, previewOccurrences } from '@/lib/domain/maintenance/create-maintenance';
import { getMaintenance, listMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import { createMarker } from '@/lib/domain/markers/create-marker';
import { deleteMarker } from '@/lib/domain/markers/delete-marker';
import { getMarker, listMarkers, listMarkersOf } from '@/lib/domain/markers/read-markers';
import { backtestMonitor } from '@/lib/domain/monitors/backtest-monitor';
import {
  deleteMonitor,
  deleteMonitorByRef,
  deleteMonitors,
  setMonitorsEnabled,
  tagMonitors,
} from '@/lib/domain/monitors/change-selected';
import { awaitCheck, requestCheck } from '@/lib/domain/monitors/check-monitor';
import { confirmMonitors } from '@/lib/domain/monitors/confirm-selected';
import { countDownMonitors } from '@/lib/domain/monitors/count-down';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { readReferences } from '@/lib/domain/monitors/dependencies/read-references';
import { listEvidence, readCompared } from '@/lib/domain/monitors/evidence/read-evidence';
import { readOutputs } from '@/lib/domain/monitors/evidence/read-outputs';
import {
  findMonitorIdByRef,
  findMonitorNumber,
  getMonitor,
  getMonitorByRef,
  readMonitors,
} from '@/lib/domain/monitors/find-monitor';
import { readHeartbeat } from '@/lib/domain/monitors/heartbeats/read-heartbeat';
import { rotateHeartbeat } from '@/lib/domain/monitors/heartbeats/rotate-heartbeat';
import { listTransitions } from '@/lib/domain/monitors/history/ledger';
import { readLastFailures, readPhases } from '@/lib/domain/monitors/history/read-phases';
import { listChecks, listResults, readLatestChecks } from '@/lib/domain/monitors/history/read-results';
import { importMonitors } from '@/lib/domain/monitors/imports/import-monitors';
import {
  findMonitorById,
  listMonitorNames,
  listMonitorReadiness,
  listMonitors,
  listMonitorsInParts,
  listMonitorTags,
  listTags,
  searchMonitors,
} from '@/lib/domain/monitors/lists/list-monitors';
import { listOverviews, readStrips } from '@/lib/domain/monitors/lists/list-overviews';
import { readOverview, readStats } from '@/lib/domain/monitors/read-overview';
import { readMonitorStandings, readStanding } from '@/lib/domain/monitors/read-standings';
import { testMonitor } from '@/lib/domain/monitors/test-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { readWorkerNotes } from '@/lib/domain/monitors/worker-notes';
import { createMonitors, upsertMonitor } from '@/lib/domain/monitors/writes/create-monitors';
import { createRegion, deleteRegion, updateRegion } from '@/lib/domain/regions/change-region';
import { getRegion, listRegions } from '@/lib/domain/regions/list-regions';
import { readDigest } from '@/lib/domain/reports/digest/read-digest';
import { exportReport } from '@/lib/domain/reports/export-report';
import { readReport } from '@/lib/domain/reports/read-report';
import {
  createWebhook,
  deleteWebhook,
  finishRotation,
  rotateSecret,
  updateWebhook,
} from '@/lib/domain/webhooks/change-webhook';
import { getWebhook, listWebhooks } from '@/lib/domain/webhooks/read-webhooks';
import { testWebhook } from '@/lib/domain/webhooks/resend-deliveries';
import { previewTemplate } from '@/lib/domain/webhooks/templates/require-rendering';
import { testChangedWebhook, testUnsavedWebhook } from '@/lib/domain/webhooks/test-unsaved';
import {
  deleteWebhookByRef,
  findWebhookIdByRef,
  getWebhookByRef,
  upsertWebhook,
} from '@/lib/domain/webhooks/upsert-webhook';
import { createDryRunStore } from '@/lib/engine/checks/requested/dry-run-store';
import { runDryRuns } from '@/lib/engine/checks/requested/run-dry-runs';
import { withDryRunWorker } from '@/lib/engine/testing/dry-run-worker';
import { reportExportSchema, reportQuerySchema } from '@/lib/schemas/reports/report';
import { ACCOUNT_CALLS } from './account-calls';
import { CORRECTION_CALLS } from './correction-calls';
import { DELIVERY_CALLS } from './delivery-calls';
import { INCIDENT_CALLS } from './incident-calls';
import { PROBE_CALLS } from './probe-calls';
import {
  aHeartbeat,
  aMarker,
  aMonitor,
  aMonitorRef,
  aRegion,
  aWebhook,
  aWebhookRef,
  aWindow,
  PAGE,
  reads,
  SEARCH,
  type VerbCall,
  writes,
} from './verb-call';
import { creating, inputs, SECRET, unique, type World } from './world';

/** A dry run, with a worker for its region. */
async function testWithWorker(ctx: OrganizationContext) {
  const environment = { policy: ctx.targetPolicy, userAgent: 'Pharos-Monitor/1.0' };
  const dryRuns = { requests: createDryRunStore(ctx), clock: ctx.clock, running: new Map() };
  return withDryRunWorker(
    () => runDryRuns(dryRuns, ['us-east', 'eu-west'], environment),
    () => testMonitor(ctx, inputs.monitor()),
  );
}

/** Every verb that takes an OrganizationContext, checked for completeness by a test. */
export const VERB_CALLS: Record<string, VerbCall> = {
  ...ACCOUNT_CALLS,
  ...CORRECTION_CALLS,
  ...DELIVERY_CALLS,
  ...INCIDENT_CALLS,
  ...PROBE_CALLS,

  'maintenance/createMaintenance': writes(
    'maintenance.create',
    (ctx, id) => createMaintenance(ctx, inputs.maintenance(id)),
    aMonitor,
  ),
  'maintenance/updateMaintenance': writes(
    'maintenance.update',
    (ctx, id) => updateMaintenance(ctx, id, { title: 'Repair' }),
    aWindow,
  ),
  'maintenance/endActiveMaintenance': writes('maintenance.update', endActiveMaintenance, aWindow),
  'maintenance/deleteMaintenance': writes('maintenance.delete', deleteMaintenance, aWindow),
  'maintenance/listMaintenance': reads('maintenance.read', (ctx) => listMaintenance(ctx, PAGE)),
  'maintenance/getMaintenance': reads('maintenance.read', getMaintenance, aWindow),
  'maintenance/previewOccurrences': reads('maintenance.create', async (ctx) =>
    previewOccurrences(ctx, inputs.maintenance('mon_any')),
  ),

  'monitors/createMonitor': writes('monitor.create', (ctx) => createMonitor(ctx, inputs.monitor())),
  'monitors/createMonitors': writes('monitor.create', (ctx) =>
    createMonitors(ctx, [{ ...creating(inputs.monitor()), ref: null, expected: [] }], {
      isAtomic: true,
      isUpsert: true,
    }),
  ),
  'monitors/importMonitors': writes('monitor.create', (ctx) =>
    importMonitors(ctx, {
      format: 'csv',
      source: null,
      dryRun: false,
      monitors: [{ ...inputs.monitor(), ref: unique('monitor') }],
    }),
  ),
  'monitors/upsertMonitor': writes('monitor.create', (ctx) => {
    const ref = unique('monitor');
    return upsertMonitor(ctx, ref, creating({ ...inputs.monitor(), ref }));
  }),
  'monitors/updateMonitor': writes(
    'monitor.update',
    (ctx, id) => updateMonitor(ctx, id, { body: `other ${SECRET}` }),
    aMonitor,
  ),
  'monitors/rotateHeartbeat': writes('monitor.rotate-heartbeat', rotateHeartbeat, aHeartbeat),
  'monitors/deleteMonitor': writes('monitor.delete', deleteMonitor, aMonitor),
  'monitors/deleteMonitorByRef': writes('monitor.delete', deleteMonitorByRef, aMonitorRef),
  'monitors/setMonitorsEnabled': writes(
    'monitor.update',
    (ctx, id) => setMonitorsEnabled(ctx, [id], true),
    aMonitor,
  ),
  'monitors/confirmMonitors': writes('monitor.update', (ctx, id) => confirmMonitors(ctx, [id], 10), aMonitor),
  'monitors/tagMonitors': writes(
    'monitor.update',
    (ctx, id) => tagMonitors(ctx, [id], { add: ['shop'], remove: [] }),
    aMonitor,
  ),
  'monitors/deleteMonitors': writes('monitor.delete', (ctx, id) => deleteMonitors(ctx, [id]), aMonitor),
  'monitors/testMonitor': reads('monitor.test', testWithWorker),
  'monitors/requestCheck': reads('monitor.test', requestCheck, (world: World) => world.enabledMonitor()),
  'monitors/awaitCheck': reads(
    'monitor.test',
    (ctx, id) => awaitCheck(ctx, id, { signal: AbortSignal.abort() }),
    (world: World) => world.requestedCheck(),
  ),
  'monitors/backtestMonitor': reads(
    'monitor.read',
    (ctx, id) => backtestMonitor(ctx, id, { days: 7 }),
    aMonitor,
  ),
  'monitors/getMonitor': reads('monitor.read', getMonitor, aMonitor),
  'monitors/findMonitorIdByRef': reads('monitor.read', findMonitorIdByRef, aMonitorRef),
  'monitors/getMonitorByRef': reads('monitor.read', getMonitorByRef, aMonitorRef),
  'monitors/readMonitors': reads('monitor.read', (ctx, id) => readMonitors(ctx, [id]), aMonitor),
  'monitors/findMonitorNumber': reads('monitor.read', findMonitorNumber, aMonitor),
  'monitors/listMonitors': reads('monitor.read', (ctx) => listMonitors(ctx)),
  'monitors/listMonitorsInParts': reads('monitor.read', (ctx) =>
    listMonitorsInParts(ctx, { sort: '-createdAt' }),
  ),
  'monitors/searchMonitors': reads('monitor.read', (ctx) => searchMonitors(ctx, SEARCH)),
  'monitors/findMonitorById': reads('monitor.read', findMonitorById, aMonitor),
  'markers/createMarker': writes('marker.create', (ctx) => createMarker(ctx, inputs.marker())),
  'markers/deleteMarker': writes('marker.delete', deleteMarker, aMarker),
  'markers/getMarker': reads('marker.read', getMarker, aMarker),
  'markers/listMarkers': reads('marker.read', (ctx) => listMarkers(ctx, PAGE)),
  'markers/listMarkersOf': reads('marker.read', (ctx) =>
    listMarkersOf(ctx, [{ id: 'mon_any', tags: [] }], { since: new Date(0), until: new Date(), limit: 10 }),
  ),
  'monitors/listTags': reads('monitor.read', listTags),
  'reports/readDigest': reads('monitor.read', (ctx) =>
    readDigest(ctx, { from: '2026-11-16', to: '2026-11-22', timeZone: 'UTC' }),
  ),
  'reports/exportReport': reads('monitor.read', (ctx) => exportReport(ctx, reportExportSchema.parse({}))),
  'reports/readReport': reads('monitor.read', (ctx) => readReport(ctx, reportQuerySchema.parse({}))),
  'monitors/listOverviews': reads('monitor.read', listOverviews),
  'monitors/listMonitorNames': reads('monitor.read', listMonitorNames),
  'monitors/listMonitorTags': reads('monitor.read', listMonitorTags),
  'monitors/listMonitorReadiness': reads('monitor.read', listMonitorReadiness),
  'monitors/listChecks': reads('monitor.read', (ctx, id) => listChecks(ctx, id, PAGE), aMonitor),
  'monitors/listResults': reads('monitor.read', (ctx, id) => listResults(ctx, id, PAGE), aMonitor),
  'monitors/listEvidence': reads('monitor.read', (ctx, id) => listEvidence(ctx, id, PAGE), aMonitor),
  'monitors/readCompared': reads('monitor.read', (ctx, id) => readCompared(ctx, id), aMonitor),
  'monitors/readOutputs': reads('monitor.read', (ctx, id) => readOutputs(ctx, id), aMonitor),
  'monitors/listTransitions': reads('monitor.read', (ctx, id) => listTransitions(ctx, id, PAGE), aMonitor),
  'monitors/readWorkerNotes': reads('monitor.read', readWorkerNotes),
  'monitors/readStrips': reads('monitor.read', (ctx, id) => readStrips(ctx, [id]), aMonitor),
  'monitors/readLatestChecks': reads('monitor.read', readLatestChecks, aMonitor),
  'monitors/readOverview': reads(
    'monitor.read',
    (ctx, id) => readOverview(ctx, { id, noDataSince: null, interval: 60 }, '7d'),
    aMonitor,
  ),
  'monitors/readLastFailures': reads('monitor.read', (ctx, id) => readLastFailures(ctx, id, '7d'), aMonitor),
  'monitors/readPhases': reads('monitor.read', (ctx, id) => readPhases(ctx, id, '7d'), aMonitor),
  'monitors/readMonitorStandings': reads(
    'monitor.read',
    (ctx, id) => readMonitorStandings(ctx, [id]),
    aMonitor,
  ),
  'monitors/readHeartbeat': reads('monitor.read', readHeartbeat, aHeartbeat),
  'monitors/readReferences': reads('monitor.read', readReferences, aMonitor),
  'monitors/readStanding': reads('monitor.read', readStanding, aMonitor),
  'listeners/readListeners': reads('monitor.read', (ctx, id) => readListeners(ctx, id, {}), aMonitor),
  'listeners/explainListeners': reads('monitor.read', (ctx, id) => explainListeners(ctx, id, {}), aMonitor),
  'listeners/readAudience': reads('member.read', readAudience),
  'listeners/readCandidates': reads('member.read', readCandidates),
  'monitors/countDownMonitors': reads('monitor.read', countDownMonitors),
  'listeners/isAnyoneNotified': reads('member.read', isAnyoneNotified),
  'monitors/readStats': reads('monitor.read', (ctx, id) => readStats(ctx, id, { window: '24h' }), aMonitor),

  'regions/createRegion': writes('region.create', (ctx) => createRegion(ctx, inputs.region())),
  'regions/updateRegion': writes(
    'region.update',
    (ctx, id) => updateRegion(ctx, id, { place: 'berlin' }, { showsHosts: true }),
    aRegion,
  ),
  'regions/deleteRegion': writes('region.delete', deleteRegion, aRegion),
  'regions/listRegions': reads('region.read', (ctx) => listRegions(ctx, { showsHosts: true })),
  'regions/getRegion': reads('region.read', (ctx, id) => getRegion(ctx, id, { showsHosts: true }), aRegion),

  'webhooks/createWebhook': writes('webhook.create', (ctx) => createWebhook(ctx, inputs.webhook())),
  'webhooks/upsertWebhook': writes('webhook.create', (ctx) => {
    const ref = unique('webhook');
    return upsertWebhook(ctx, ref, creating({ ...inputs.webhook(), ref }));
  }),
  'webhooks/updateWebhook': writes(
    'webhook.update',
    (ctx, id) => updateWebhook(ctx, id, { url: `https://hooks.example/other/${SECRET}` }),
    aWebhook,
  ),
  'webhooks/previewTemplate': reads('webhook.update', (ctx) => previewTemplate(ctx, '{{ event }}')),
  'webhooks/deleteWebhook': writes('webhook.delete', deleteWebhook, aWebhook),
  'webhooks/deleteWebhookByRef': writes('webhook.delete', deleteWebhookByRef, aWebhookRef),
  'webhooks/testUnsavedWebhook': reads('webhook.create', (ctx) =>
    testUnsavedWebhook(ctx, inputs.webhook(), { serviceName: 'Pharos' }),
  ),
  'webhooks/testChangedWebhook': reads(
    'webhook.update',
    (ctx, id) => testChangedWebhook(ctx, id, { description: 'Other' }, { serviceName: 'Pharos' }),
    aWebhook,
  ),
  'webhooks/testWebhook': writes('webhook.test', testWebhook, aWebhook),
  'webhooks/rotateSecret': writes(
    'webhook.rotate-secret',
    (ctx, id) => rotateSecret(ctx, id, { immediate: false }),
    aWebhook,
  ),
  'webhooks/finishRotation': writes(
    'webhook.rotate-secret',
    (ctx, id) => finishRotation(ctx, id),
    (world: World) => world.rotatingWebhook(),
  ),
  'webhooks/listWebhooks': reads('webhook.read', listWebhooks),
  'webhooks/getWebhook': reads('webhook.read', getWebhook, aWebhook),
  'webhooks/findWebhookIdByRef': reads('webhook.read', findWebhookIdByRef, aWebhookRef),
  'webhooks/getWebhookByRef': reads('webhook.read', getWebhookByRef, aWebhookRef),
};
