import { issueApiKey, revokeApiKey, rotateApiKey, updateApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { getApiKey, listApiKeys, readKeyCreators, readMe } from '@/lib/domain/api-keys/read-api-keys';
import { exportAudit, listAudit } from '@/lib/domain/audit/read-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Action } from '@/lib/domain/context/permissions';
import {
  addIncidentUpdate,
  changeIncident,
  deleteIncident,
  updateIncident,
} from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { readIncidentLog, readReasons } from '@/lib/domain/incidents/read-incident-log';
import { getIncident, listIncidents, searchIncidents } from '@/lib/domain/incidents/read-incidents';
import {
  deleteMaintenance,
  endActiveMaintenance,
  updateMaintenance,
} from '@/lib/domain/maintenance/change-maintenance';
import { createMaintenance, previewOccurrences } from '@/lib/domain/maintenance/create-maintenance';
import { getMaintenance, listMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import { changeRole, removeMember, transferOwnership } from '@/lib/domain/members/change-members';
import { inviteMember, listInvitations, revokeInvitation } from '@/lib/domain/members/invitations';
import { getMember, listMembers } from '@/lib/domain/members/read-members';
import { backtestMonitor } from '@/lib/domain/monitors/backtest-monitor';
import {
  deleteMonitor,
  deleteMonitors,
  setMonitorsEnabled,
  tagMonitors,
} from '@/lib/domain/monitors/change-selected';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { findMonitorNumber, getMonitor } from '@/lib/domain/monitors/find-monitor';
import { listTransitions } from '@/lib/domain/monitors/history/ledger';
import {
  listResults,
  readCertificateEnd,
  readLatestChecks,
  readPhases,
} from '@/lib/domain/monitors/history/read-results';
import { readStats } from '@/lib/domain/monitors/history/read-stats';
import {
  findMonitorById,
  listMonitorNames,
  listMonitors,
  searchMonitors,
} from '@/lib/domain/monitors/list-monitors';
import { listOverviews, readHeartbeats } from '@/lib/domain/monitors/list-overviews';
import { readOverview } from '@/lib/domain/monitors/read-overview';
import { readMonitorStandings, readStanding } from '@/lib/domain/monitors/read-standings';
import { readCutOffRegions, readInngestSilence, readUnservedRegions } from '@/lib/domain/monitors/silence';
import { testMonitor } from '@/lib/domain/monitors/test-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { renameOrganization } from '@/lib/domain/organizations/change-organization';
import { createPasswordReset } from '@/lib/domain/people/reset-password';
import { readPageStandings } from '@/lib/domain/status-pages/aggregate-status';
import {
  createStatusPage,
  deleteStatusPage,
  updateStatusPage,
} from '@/lib/domain/status-pages/change-status-page';
import { previewPage } from '@/lib/domain/status-pages/public/read-page-view';
import { readAudiences } from '@/lib/domain/status-pages/public-address';
import {
  getStatusPage,
  listPagesOfMonitor,
  listStatusPages,
  searchStatusPages,
} from '@/lib/domain/status-pages/read-status-pages';
import { verifyCustomDomain } from '@/lib/domain/status-pages/verify-custom-domain';
import {
  countSubscribers,
  listSubscribers,
  removeSubscriber,
} from '@/lib/domain/subscribers/read-subscribers';
import {
  createWebhook,
  deleteWebhook,
  finishRotation,
  rotateSecret,
  updateWebhook,
} from '@/lib/domain/webhooks/change-webhook';
import {
  getDelivery,
  listDeliveries,
  listEndpointDeliveries,
  readLatestDeliveries,
} from '@/lib/domain/webhooks/read-deliveries';
import { readDeliveryLog } from '@/lib/domain/webhooks/read-delivery-log';
import { getWebhook, listWebhooks } from '@/lib/domain/webhooks/read-webhooks';
import {
  countFailedDeliveries,
  readMissedDeliveries,
  recoverDeliveries,
  replayDelivery,
  testWebhook,
} from '@/lib/domain/webhooks/resend-deliveries';
import { runDryRuns } from '@/lib/engine/checks/run-dry-runs';
import { AT, inputs, PROVED, SECRET, UNPROVED, unique, type World } from './world';

/** A call of each verb that succeeds for those who may; each call gets a new object to work on. */
export type VerbCall = {
  action: Action;
  /** Whether it changes something that outlasts it, and so leaves an entry in the audit log. */
  writes: boolean;
  prepare(world: World): Promise<(ctx: OrganizationContext) => unknown>;
};

type Call<Subject> = (ctx: OrganizationContext, subject: Subject) => unknown;
type Prepare<Subject> = (world: World) => Promise<Subject>;

const SEARCH = { words: ['shop'], limit: 5 };
const PAGE = { limit: 10 };

const aKey = (world: World) => world.apiKey();
const anIncident = (world: World) => world.incident();
const aMember = (world: World) => world.member();
const aMonitor = (world: World) => world.monitor();
const aPage = (world: World) => world.statusPage();
const aWebhook = (world: World) => world.webhook();
const aWindow = (world: World) => world.maintenance();

function reads<Subject = undefined>(
  action: Action,
  call: Call<Subject>,
  prepare?: Prepare<Subject>,
): VerbCall {
  const prepareCall = async (world: World) => {
    const subject = (await prepare?.(world)) as Subject;
    return (ctx: OrganizationContext) => call(ctx, subject);
  };
  return { action, writes: false, prepare: prepareCall };
}

function writes<Subject = undefined>(...call: Parameters<typeof reads<Subject>>): VerbCall {
  return { ...reads(...call), writes: true };
}

/** A dry run, with a worker for its region. */
async function testWithWorker(ctx: OrganizationContext) {
  const environment = { policy: ctx.targetPolicy, userAgent: 'Pharos-Monitor/1.0' };
  const worker = setInterval(() => void runDryRuns(ctx, ['us-east', 'eu-west'], environment), 20);
  try {
    return await testMonitor(ctx, inputs.monitor());
  } finally {
    clearInterval(worker);
  }
}

/** Every verb that takes an OrganizationContext, checked for completeness by a test. */
export const VERB_CALLS: Record<string, VerbCall> = {
  'api-keys/issueApiKey': writes('api-key.create', (ctx) => issueApiKey(ctx, inputs.apiKey())),
  'api-keys/listApiKeys': reads('api-key.read', listApiKeys),
  'api-keys/getApiKey': reads('api-key.read', getApiKey, aKey),
  'api-keys/readKeyCreators': reads('api-key.read', readKeyCreators),
  'api-keys/readMe': reads('organization.read', readMe),
  'api-keys/revokeApiKey': writes('api-key.revoke', revokeApiKey, aKey),
  'api-keys/rotateApiKey': writes('api-key.rotate', (ctx, id) => rotateApiKey(ctx, id, { overlapHours: 1 }), aKey),
  'api-keys/updateApiKey': writes('api-key.update', (ctx, id) => updateApiKey(ctx, id, { name: 'Renamed' }), aKey),

  'audit/listAudit': reads('audit.read', (ctx) => listAudit(ctx, PAGE)),
  'audit/exportAudit': reads('audit.read', (ctx) => exportAudit(ctx, {}).next()),

  'incidents/createIncident': writes('incident.create', (ctx) => createIncident(ctx, inputs.incident())),
  'incidents/updateIncident': writes('incident.update', (ctx, id) => updateIncident(ctx, id, { status: 'resolved' }), anIncident),
  'incidents/changeIncident': writes('incident.update', (ctx, id) => changeIncident(ctx, id, { title: 'Something else is wrong' }), anIncident),
  'incidents/addIncidentUpdate': writes('incident.update', (ctx, id) => addIncidentUpdate(ctx, id, { message: 'We are looking.' }), anIncident),
  'incidents/deleteIncident': writes('incident.delete', deleteIncident, anIncident),
  'incidents/listIncidents': reads('incident.read', (ctx) => listIncidents(ctx, PAGE)),
  'incidents/searchIncidents': reads('incident.read', (ctx) => searchIncidents(ctx, SEARCH)),
  'incidents/getIncident': reads('incident.read', getIncident, anIncident),
  'incidents/readIncidentLog': reads('incident.read', (ctx) => readIncidentLog(ctx, { after: null, limit: 10 })),
  'incidents/readReasons': reads('incident.read', readReasons, anIncident),

  'maintenance/createMaintenance': writes('maintenance.create', (ctx, id) => createMaintenance(ctx, inputs.maintenance(id)), aMonitor),
  'maintenance/updateMaintenance': writes('maintenance.update', (ctx, id) => updateMaintenance(ctx, id, { title: 'Repair' }), aWindow),
  'maintenance/endActiveMaintenance': writes('maintenance.update', endActiveMaintenance, aWindow),
  'maintenance/deleteMaintenance': writes('maintenance.delete', deleteMaintenance, aWindow),
  'maintenance/listMaintenance': reads('maintenance.read', (ctx) => listMaintenance(ctx, PAGE)),
  'maintenance/getMaintenance': reads('maintenance.read', getMaintenance, aWindow),
  'maintenance/previewOccurrences': reads('maintenance.create', async (ctx) => previewOccurrences(ctx, inputs.maintenance('mon_any'))),

  'members/listMembers': reads('member.read', listMembers),
  'members/getMember': reads('member.read', getMember, aMember),
  'members/changeRole': writes('member.change', (ctx, id) => changeRole(ctx, id, { role: 'member' }), aMember),
  'members/removeMember': writes('member.remove', removeMember, aMember),
  'members/transferOwnership': writes('organization.transfer', transferOwnership, aMember),
  'members/listInvitations': reads('invitation.read', listInvitations),
  'members/inviteMember': writes('invitation.create', (ctx) => inviteMember(ctx, inputs.invitation(), AT)),
  'members/revokeInvitation': writes('invitation.revoke', (ctx, id) => revokeInvitation(ctx, id), (world) => world.invitation()),

  'organizations/renameOrganization': writes('organization.rename', (ctx) => renameOrganization(ctx, { name: unique('Acme') })),

  'people/createPasswordReset': writes('member.reset-password', createPasswordReset, aMember),

  'monitors/createMonitor': writes('monitor.create', (ctx) => createMonitor(ctx, inputs.monitor())),
  'monitors/updateMonitor': writes('monitor.update', (ctx, id) => updateMonitor(ctx, id, { body: `other ${SECRET}` }), aMonitor),
  'monitors/deleteMonitor': writes('monitor.delete', deleteMonitor, aMonitor),
  'monitors/setMonitorsEnabled': writes('monitor.update', (ctx, id) => setMonitorsEnabled(ctx, [id], true), aMonitor),
  'monitors/tagMonitors': writes('monitor.update', (ctx, id) => tagMonitors(ctx, [id], { add: ['shop'], remove: [] }), aMonitor),
  'monitors/deleteMonitors': writes('monitor.delete', (ctx, id) => deleteMonitors(ctx, [id]), aMonitor),
  'monitors/testMonitor': reads('monitor.test', testWithWorker),
  'monitors/backtestMonitor': reads('monitor.read', (ctx, id) => backtestMonitor(ctx, id, { days: 7 }), aMonitor),
  'monitors/getMonitor': reads('monitor.read', getMonitor, aMonitor),
  'monitors/findMonitorNumber': reads('monitor.read', findMonitorNumber, aMonitor),
  'monitors/listMonitors': reads('monitor.read', (ctx) => listMonitors(ctx)),
  'monitors/searchMonitors': reads('monitor.read', (ctx) => searchMonitors(ctx, SEARCH)),
  'monitors/findMonitorById': reads('monitor.read', findMonitorById, aMonitor),
  'monitors/listOverviews': reads('monitor.read', listOverviews),
  'monitors/listMonitorNames': reads('monitor.read', listMonitorNames),
  'monitors/listResults': reads('monitor.read', (ctx, id) => listResults(ctx, id, PAGE), aMonitor),
  'monitors/listTransitions': reads('monitor.read', (ctx, id) => listTransitions(ctx, id, PAGE), aMonitor),
  'monitors/readCutOffRegions': reads('monitor.read', readCutOffRegions),
  'monitors/readInngestSilence': reads('monitor.read', readInngestSilence),
  'monitors/readUnservedRegions': reads('monitor.read', readUnservedRegions),
  'monitors/readHeartbeats': reads('monitor.read', readHeartbeats),
  'monitors/readCertificateEnd': reads('monitor.read', readCertificateEnd, aMonitor),
  'monitors/readLatestChecks': reads('monitor.read', readLatestChecks, aMonitor),
  'monitors/readOverview': reads('monitor.read', (ctx, id) => readOverview(ctx, id, '7d'), aMonitor),
  'monitors/readPhases': reads('monitor.read', (ctx, id) => readPhases(ctx, id, '7d'), aMonitor),
  'monitors/readMonitorStandings': reads('monitor.read', (ctx, id) => readMonitorStandings(ctx, [id]), aMonitor),
  'monitors/readStanding': reads('monitor.read', readStanding, aMonitor),
  'monitors/readStats': reads('monitor.read', (ctx, id) => readStats(ctx, id, { window: '24h' }), aMonitor),

  'status-pages/createStatusPage': writes('status-page.create', (ctx) => createStatusPage(ctx, inputs.statusPage(), UNPROVED)),
  'status-pages/updateStatusPage': writes('status-page.update', (ctx, slug) => updateStatusPage(ctx, slug, { name: 'Emca' }, UNPROVED), aPage),
  'status-pages/verifyCustomDomain': writes('status-page.update', (ctx, slug) => verifyCustomDomain(ctx, slug, PROVED), (world) => world.statusPage(`${unique('status')}.example`)),
  'status-pages/deleteStatusPage': writes('status-page.delete', deleteStatusPage, aPage),
  'status-pages/listPagesOfMonitor': reads('status-page.read', listPagesOfMonitor, aMonitor),
  'status-pages/listStatusPages': reads('status-page.read', (ctx) => listStatusPages(ctx, PROVED)),
  'status-pages/readAudiences': reads('status-page.read', readAudiences),
  'status-pages/searchStatusPages': reads('status-page.read', (ctx) => searchStatusPages(ctx, SEARCH)),
  'status-pages/getStatusPage': reads('status-page.read', (ctx, slug) => getStatusPage(ctx, slug, PROVED), aPage),
  'status-pages/previewPage': reads('status-page.read', (ctx) => previewPage(ctx, inputs.pagePreview())),
  'status-pages/readPageStandings': reads('status-page.read', readPageStandings),

  'subscribers/countSubscribers': reads('subscriber.read', countSubscribers),
  'subscribers/listSubscribers': reads('subscriber.read', (ctx, { slug }) => listSubscribers(ctx, slug, PAGE), (world) => world.subscriber()),
  'subscribers/removeSubscriber': writes('subscriber.remove', (ctx, { slug, id }) => removeSubscriber(ctx, slug, id), (world) => world.subscriber()),

  'webhooks/createWebhook': writes('webhook.create', (ctx) => createWebhook(ctx, inputs.webhook())),
  'webhooks/updateWebhook': writes('webhook.update', (ctx, id) => updateWebhook(ctx, id, { url: `https://hooks.example/other/${SECRET}` }), aWebhook),
  'webhooks/deleteWebhook': writes('webhook.delete', deleteWebhook, aWebhook),
  'webhooks/testWebhook': writes('webhook.test', testWebhook, aWebhook),
  'webhooks/rotateSecret': writes('webhook.rotate-secret', (ctx, id) => rotateSecret(ctx, id, { immediate: false }), aWebhook),
  'webhooks/finishRotation': writes('webhook.rotate-secret', (ctx, id) => finishRotation(ctx, id), (world) => world.rotatingWebhook()),
  'webhooks/recoverDeliveries': writes('webhook.recover', (ctx, { webhook }) => recoverDeliveries(ctx, webhook, { since: new Date(0) }), (world) => world.delivery('monitor.up')),
  'webhooks/replayDelivery': writes('delivery.replay', (ctx, { id }) => replayDelivery(ctx, id), (world) => world.delivery()),
  'webhooks/listWebhooks': reads('webhook.read', listWebhooks),
  'webhooks/getWebhook': reads('webhook.read', getWebhook, aWebhook),
  'webhooks/listDeliveries': reads('delivery.read', (ctx) => listDeliveries(ctx, PAGE)),
  'webhooks/listEndpointDeliveries': reads('delivery.read', (ctx, id) => listEndpointDeliveries(ctx, id, PAGE), aWebhook),
  'webhooks/getDelivery': reads('delivery.read', (ctx, { id }) => getDelivery(ctx, id), (world) => world.delivery()),
  'webhooks/readDeliveryLog': reads('delivery.read', (ctx) => readDeliveryLog(ctx, { status: undefined, after: null, limit: 10 })),
  'webhooks/countFailedDeliveries': reads('delivery.read', countFailedDeliveries),
  'webhooks/readMissedDeliveries': reads('delivery.read', readMissedDeliveries, aWebhook),
  'webhooks/readLatestDeliveries': reads('delivery.read', readLatestDeliveries),
};
