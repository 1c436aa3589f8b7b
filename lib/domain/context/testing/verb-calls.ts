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
import { deleteMonitors, setMonitorsEnabled, tagMonitors } from '@/lib/domain/monitors/change-selected';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { deleteMonitor } from '@/lib/domain/monitors/delete-monitor';
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

const SEARCH = { words: ['shop'], limit: 5 };
const PAGE = { limit: 10 };

function reads(action: Action, prepare: VerbCall['prepare']): VerbCall {
  return { action, writes: false, prepare };
}

function writes(action: Action, prepare: VerbCall['prepare']): VerbCall {
  return { action, writes: true, prepare };
}

/** For verbs that need nothing to be there. */
const simply = (call: (ctx: OrganizationContext) => unknown) => async () => call;
const withMonitor =
  (call: (ctx: OrganizationContext, id: string) => unknown): VerbCall['prepare'] =>
  async (world) => {
    const id = await world.monitor();
    return (ctx) => call(ctx, id);
  };

/** Every verb that takes an OrganizationContext; a test finds the one that is missing here. */
export const VERB_CALLS: Record<string, VerbCall> = {
  ...apiKeyCalls(),
  ...auditCalls(),
  ...incidentCalls(),
  ...maintenanceCalls(),
  ...memberCalls(),
  ...monitorCalls(),
  ...statusPageCalls(),
  ...subscriberCalls(),
  ...webhookCalls(),
};

function apiKeyCalls(): Record<string, VerbCall> {
  const withKey =
    (call: (ctx: OrganizationContext, id: string) => unknown): VerbCall['prepare'] =>
    async (world) => {
      const id = await world.apiKey();
      return (ctx) => call(ctx, id);
    };
  return {
    'api-keys/issueApiKey': writes(
      'api-key.create',
      simply((ctx) => issueApiKey(ctx, inputs.apiKey())),
    ),
    'api-keys/listApiKeys': reads('api-key.read', simply(listApiKeys)),
    'api-keys/getApiKey': reads('api-key.read', withKey(getApiKey)),
    'api-keys/readKeyCreators': reads('api-key.read', simply(readKeyCreators)),
    'api-keys/readMe': reads('organization.read', simply(readMe)),
    'api-keys/revokeApiKey': writes('api-key.revoke', withKey(revokeApiKey)),
    'api-keys/rotateApiKey': writes(
      'api-key.rotate',
      withKey((ctx, id) => rotateApiKey(ctx, id, { overlapHours: 1 })),
    ),
    'api-keys/updateApiKey': writes(
      'api-key.update',
      withKey((ctx, id) => updateApiKey(ctx, id, { name: 'Renamed' })),
    ),
  };
}

function auditCalls(): Record<string, VerbCall> {
  return {
    'audit/listAudit': reads(
      'audit.read',
      simply((ctx) => listAudit(ctx, PAGE)),
    ),
    'audit/exportAudit': reads(
      'audit.read',
      simply((ctx) => exportAudit(ctx, {}).next()),
    ),
  };
}

function incidentCalls(): Record<string, VerbCall> {
  const withIncident =
    (call: (ctx: OrganizationContext, id: string) => unknown): VerbCall['prepare'] =>
    async (world) => {
      const id = await world.incident();
      return (ctx) => call(ctx, id);
    };
  return {
    'incidents/createIncident': writes(
      'incident.create',
      simply((ctx) => createIncident(ctx, inputs.incident())),
    ),
    'incidents/updateIncident': writes(
      'incident.update',
      withIncident((ctx, id) => updateIncident(ctx, id, { status: 'resolved' })),
    ),
    'incidents/changeIncident': writes(
      'incident.update',
      withIncident((ctx, id) => changeIncident(ctx, id, { title: 'Something else is wrong' })),
    ),
    'incidents/addIncidentUpdate': writes(
      'incident.update',
      withIncident((ctx, id) => addIncidentUpdate(ctx, id, { message: 'We are looking.' })),
    ),
    'incidents/deleteIncident': writes('incident.delete', withIncident(deleteIncident)),
    'incidents/listIncidents': reads(
      'incident.read',
      simply((ctx) => listIncidents(ctx, PAGE)),
    ),
    'incidents/searchIncidents': reads(
      'incident.read',
      simply((ctx) => searchIncidents(ctx, SEARCH)),
    ),
    'incidents/getIncident': reads('incident.read', withIncident(getIncident)),
    'incidents/readIncidentLog': reads(
      'incident.read',
      simply((ctx) => readIncidentLog(ctx, { after: null, limit: 10 })),
    ),
    'incidents/readReasons': reads('incident.read', withIncident(readReasons)),
  };
}

function maintenanceCalls(): Record<string, VerbCall> {
  const withWindow =
    (call: (ctx: OrganizationContext, id: string) => unknown): VerbCall['prepare'] =>
    async (world) => {
      const id = await world.maintenance();
      return (ctx) => call(ctx, id);
    };
  return {
    'maintenance/createMaintenance': writes(
      'maintenance.create',
      withMonitor((ctx, id) => createMaintenance(ctx, inputs.maintenance(id))),
    ),
    'maintenance/updateMaintenance': writes(
      'maintenance.update',
      withWindow((ctx, id) => updateMaintenance(ctx, id, { title: 'Repair' })),
    ),
    'maintenance/endActiveMaintenance': writes('maintenance.update', withWindow(endActiveMaintenance)),
    'maintenance/deleteMaintenance': writes('maintenance.delete', withWindow(deleteMaintenance)),
    'maintenance/listMaintenance': reads(
      'maintenance.read',
      simply((ctx) => listMaintenance(ctx, PAGE)),
    ),
    'maintenance/getMaintenance': reads('maintenance.read', withWindow(getMaintenance)),
    'maintenance/previewOccurrences': reads(
      'maintenance.create',
      simply(async (ctx) => previewOccurrences(ctx, inputs.maintenance('mon_any'))),
    ),
  };
}

function memberCalls(): Record<string, VerbCall> {
  const withMember =
    (call: (ctx: OrganizationContext, id: string) => unknown): VerbCall['prepare'] =>
    async (world) => {
      const id = await world.member();
      return (ctx) => call(ctx, id);
    };
  return {
    'members/listMembers': reads('member.read', simply(listMembers)),
    'members/getMember': reads('member.read', withMember(getMember)),
    'members/changeRole': writes(
      'member.change',
      withMember((ctx, id) => changeRole(ctx, id, { role: 'member' })),
    ),
    'members/removeMember': writes('member.remove', withMember(removeMember)),
    'members/transferOwnership': writes('organization.transfer', withMember(transferOwnership)),
    'members/listInvitations': reads('invitation.read', simply(listInvitations)),
    'members/inviteMember': writes(
      'invitation.create',
      simply((ctx) => inviteMember(ctx, inputs.invitation(), AT)),
    ),
    'members/revokeInvitation': writes('invitation.revoke', async (world) => {
      const id = await world.invitation();
      return (ctx) => revokeInvitation(ctx, id);
    }),
    'organizations/renameOrganization': writes(
      'organization.rename',
      simply((ctx) => renameOrganization(ctx, { name: unique('Acme') })),
    ),
    'people/createPasswordReset': writes('member.reset-password', withMember(createPasswordReset)),
  };
}

function monitorCalls(): Record<string, VerbCall> {
  return {
    'monitors/createMonitor': writes(
      'monitor.create',
      simply((ctx) => createMonitor(ctx, inputs.monitor())),
    ),
    'monitors/updateMonitor': writes(
      'monitor.update',
      withMonitor((ctx, id) => updateMonitor(ctx, id, { body: `other ${SECRET}` })),
    ),
    'monitors/deleteMonitor': writes('monitor.delete', withMonitor(deleteMonitor)),
    'monitors/setMonitorsEnabled': writes(
      'monitor.update',
      withMonitor((ctx, id) => setMonitorsEnabled(ctx, [id], true)),
    ),
    'monitors/tagMonitors': writes(
      'monitor.update',
      withMonitor((ctx, id) => tagMonitors(ctx, [id], { add: ['shop'], remove: [] })),
    ),
    'monitors/deleteMonitors': writes(
      'monitor.delete',
      withMonitor((ctx, id) => deleteMonitors(ctx, [id])),
    ),
    'monitors/testMonitor': reads('monitor.test', simply(testWithWorker)),
    'monitors/backtestMonitor': reads(
      'monitor.read',
      withMonitor((ctx, id) => backtestMonitor(ctx, id, { days: 7 })),
    ),
    'monitors/getMonitor': reads('monitor.read', withMonitor(getMonitor)),
    'monitors/findMonitorNumber': reads('monitor.read', withMonitor(findMonitorNumber)),
    'monitors/listMonitors': reads(
      'monitor.read',
      simply((ctx) => listMonitors(ctx)),
    ),
    'monitors/searchMonitors': reads(
      'monitor.read',
      simply((ctx) => searchMonitors(ctx, SEARCH)),
    ),
    'monitors/findMonitorById': reads('monitor.read', withMonitor(findMonitorById)),
    'monitors/listOverviews': reads('monitor.read', simply(listOverviews)),
    'monitors/listMonitorNames': reads('monitor.read', simply(listMonitorNames)),
    'monitors/listResults': reads(
      'monitor.read',
      withMonitor((ctx, id) => listResults(ctx, id, PAGE)),
    ),
    'monitors/listTransitions': reads(
      'monitor.read',
      withMonitor((ctx, id) => listTransitions(ctx, id, PAGE)),
    ),
    'monitors/readCutOffRegions': reads('monitor.read', simply(readCutOffRegions)),
    'monitors/readInngestSilence': reads('monitor.read', simply(readInngestSilence)),
    'monitors/readUnservedRegions': reads('monitor.read', simply(readUnservedRegions)),
    'monitors/readHeartbeats': reads('monitor.read', simply(readHeartbeats)),
    'monitors/readCertificateEnd': reads('monitor.read', withMonitor(readCertificateEnd)),
    'monitors/readLatestChecks': reads('monitor.read', withMonitor(readLatestChecks)),
    'monitors/readOverview': reads(
      'monitor.read',
      withMonitor((ctx, id) => readOverview(ctx, id, '7d')),
    ),
    'monitors/readPhases': reads(
      'monitor.read',
      withMonitor((ctx, id) => readPhases(ctx, id, '7d')),
    ),
    'monitors/readMonitorStandings': reads(
      'monitor.read',
      withMonitor((ctx, id) => readMonitorStandings(ctx, [id])),
    ),
    'monitors/readStanding': reads('monitor.read', withMonitor(readStanding)),
    'monitors/readStats': reads(
      'monitor.read',
      withMonitor((ctx, id) => readStats(ctx, id, { window: '24h' })),
    ),
  };
}

/** Stands in for a worker of the region. */
async function testWithWorker(ctx: OrganizationContext) {
  const environment = { policy: ctx.targetPolicy, userAgent: 'Pharos-Monitor/1.0' };
  const worker = setInterval(() => void runDryRuns(ctx, ['us-east', 'eu-west'], environment), 20);
  try {
    return await testMonitor(ctx, inputs.monitor());
  } finally {
    clearInterval(worker);
  }
}

function statusPageCalls(): Record<string, VerbCall> {
  const withPage =
    (call: (ctx: OrganizationContext, slug: string) => unknown): VerbCall['prepare'] =>
    async (world) => {
      const slug = await world.statusPage();
      return (ctx) => call(ctx, slug);
    };
  return {
    'status-pages/createStatusPage': writes(
      'status-page.create',
      simply((ctx) => createStatusPage(ctx, inputs.statusPage(), UNPROVED)),
    ),
    'status-pages/updateStatusPage': writes(
      'status-page.update',
      withPage((ctx, slug) => updateStatusPage(ctx, slug, { name: 'Emca' }, UNPROVED)),
    ),
    'status-pages/verifyCustomDomain': writes('status-page.update', async (world) => {
      const slug = await world.statusPage(`${unique('status')}.example`);
      return (ctx) => verifyCustomDomain(ctx, slug, PROVED);
    }),
    'status-pages/deleteStatusPage': writes('status-page.delete', withPage(deleteStatusPage)),
    'status-pages/listPagesOfMonitor': reads('status-page.read', withMonitor(listPagesOfMonitor)),
    'status-pages/listStatusPages': reads(
      'status-page.read',
      simply((ctx) => listStatusPages(ctx, PROVED)),
    ),
    'status-pages/readAudiences': reads('status-page.read', simply(readAudiences)),
    'status-pages/searchStatusPages': reads(
      'status-page.read',
      simply((ctx) => searchStatusPages(ctx, SEARCH)),
    ),
    'status-pages/getStatusPage': reads(
      'status-page.read',
      withPage((ctx, slug) => getStatusPage(ctx, slug, PROVED)),
    ),
    'status-pages/previewPage': reads(
      'status-page.read',
      simply((ctx) => previewPage(ctx, inputs.pagePreview())),
    ),
    'status-pages/readPageStandings': reads('status-page.read', simply(readPageStandings)),
  };
}

function subscriberCalls(): Record<string, VerbCall> {
  return {
    'subscribers/countSubscribers': reads('subscriber.read', simply(countSubscribers)),
    'subscribers/listSubscribers': reads('subscriber.read', async (world) => {
      const { slug } = await world.subscriber();
      return (ctx) => listSubscribers(ctx, slug, PAGE);
    }),
    'subscribers/removeSubscriber': writes('subscriber.remove', async (world) => {
      const { slug, id } = await world.subscriber();
      return (ctx) => removeSubscriber(ctx, slug, id);
    }),
  };
}

function webhookCalls(): Record<string, VerbCall> {
  const withWebhook =
    (call: (ctx: OrganizationContext, id: string) => unknown): VerbCall['prepare'] =>
    async (world) => {
      const id = await world.webhook();
      return (ctx) => call(ctx, id);
    };
  return {
    'webhooks/createWebhook': writes(
      'webhook.create',
      simply((ctx) => createWebhook(ctx, inputs.webhook())),
    ),
    'webhooks/updateWebhook': writes(
      'webhook.update',
      withWebhook((ctx, id) => updateWebhook(ctx, id, { url: `https://hooks.example/other/${SECRET}` })),
    ),
    'webhooks/deleteWebhook': writes('webhook.delete', withWebhook(deleteWebhook)),
    'webhooks/testWebhook': writes('webhook.test', withWebhook(testWebhook)),
    'webhooks/rotateSecret': writes(
      'webhook.rotate-secret',
      withWebhook((ctx, id) => rotateSecret(ctx, id, { immediate: false })),
    ),
    'webhooks/finishRotation': writes('webhook.rotate-secret', async (world) => {
      const id = await world.rotatingWebhook();
      return (ctx) => finishRotation(ctx, id);
    }),
    'webhooks/recoverDeliveries': writes('webhook.recover', async (world) => {
      const { webhook } = await world.delivery('monitor.up');
      return (ctx) => recoverDeliveries(ctx, webhook, { since: new Date(0) });
    }),
    'webhooks/replayDelivery': writes('delivery.replay', async (world) => {
      const { id } = await world.delivery();
      return (ctx) => replayDelivery(ctx, id);
    }),
    'webhooks/listWebhooks': reads('webhook.read', simply(listWebhooks)),
    'webhooks/getWebhook': reads('webhook.read', withWebhook(getWebhook)),
    'webhooks/listDeliveries': reads(
      'delivery.read',
      simply((ctx) => listDeliveries(ctx, PAGE)),
    ),
    'webhooks/listEndpointDeliveries': reads(
      'delivery.read',
      withWebhook((ctx, id) => listEndpointDeliveries(ctx, id, PAGE)),
    ),
    'webhooks/getDelivery': reads('delivery.read', async (world) => {
      const { id } = await world.delivery();
      return (ctx) => getDelivery(ctx, id);
    }),
    'webhooks/readDeliveryLog': reads(
      'delivery.read',
      simply((ctx) => readDeliveryLog(ctx, { status: undefined, after: null, limit: 10 })),
    ),
    'webhooks/countFailedDeliveries': reads('delivery.read', simply(countFailedDeliveries)),
    'webhooks/readMissedDeliveries': reads('delivery.read', withWebhook(readMissedDeliveries)),
    'webhooks/readLatestDeliveries': reads('delivery.read', simply(readLatestDeliveries)),
  };
}
