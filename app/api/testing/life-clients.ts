import { HttpError, type Okify, optimistic } from '@oazapfts/runtime';
import { type List, Pharos, PharosError } from '@/clients/typescript/src/index';
import { requireDescribed } from '@/e2e/support/require-described';
import { listOperations } from '../openapi.json/describe';
import * as second from './generated/second-client';

type Generated = Omit<typeof second, 'defaults' | 'servers'>;

/** Every operation of the document by its ID, as the second generator writes it: a new operation does not compile without. */
export type Operations = { [Id in keyof Generated]: Okify<Generated[Id]> };

/** A client in a test, and the IDs of the operations that succeeded. */
export type LifeClient = {
  operations: Operations;
  succeeded: ReadonlySet<string>;
  /** The code of the error that a call ends with. Throws if it succeeds. */
  codeOf(call: Promise<unknown>): Promise<string>;
};

type Access = { url: string; apiKey: string };

/** The client that we publish. */
export async function openPharosClient({ url, apiKey }: Access): Promise<LifeClient> {
  const { recordingFetch, succeeded } = await startRecording(url);
  const pharos = new Pharos({ url, key: apiKey, fetch: recordingFetch });
  return { operations: nameOperations(pharos), succeeded, codeOf: (call) => readCode(call, codeOfPharos) };
}

/** What oazapfts generates from the document. */
export async function openSecondClient({ url, apiKey }: Access): Promise<LifeClient> {
  const { recordingFetch, succeeded } = await startRecording(url);
  second.defaults.baseUrl = `${url}/api`;
  second.defaults.fetch = recordingFetch;
  second.defaults.headers = { Authorization: `Bearer ${apiKey}` };
  const { defaults: _, servers: __, ...operations } = second;
  return { operations: optimistic(operations), succeeded, codeOf: (call) => readCode(call, codeOfSecond) };
}

function codeOfPharos(error: unknown): string | undefined {
  return error instanceof PharosError ? error.code : undefined;
}

function codeOfSecond(error: unknown): string | undefined {
  return error instanceof HttpError ? error.data.error.code : undefined;
}

async function readCode(call: Promise<unknown>, read: (error: unknown) => string | undefined) {
  const error = await call.then(
    () => new Error('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  const code = read(error);
  if (code === undefined) throw error;
  return code;
}

/** A `fetch` that requires responses to be as documented, and records the operations that succeeded. */
async function startRecording(serviceUrl: string) {
  const succeeded = new Set<string>();
  const documented = listOperations().map(({ method, path, operationId }) => ({
    method: method.toUpperCase(),
    operationId,
    // A path without parameters wins over one with.
    parameters: path.split('{').length,
    pattern: new RegExp(`^/api${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));
  documented.sort((a, b) => a.parameters - b.parameters);
  const recordingFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(request);
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    const { status, headers } = response;
    const text = await response.clone().text();
    const path = `${pathname.slice('/api'.length)}${search}`;
    await requireDescribed(serviceUrl, { method, path, status, headers, text });
    const found = documented.find((each) => each.method === method && each.pattern.test(pathname));
    if (found !== undefined && response.ok) succeeded.add(found.operationId);
    return response;
  };
  return { recordingFetch, succeeded };
}

async function items<Item>(list: List<Item>): Promise<Item[]> {
  return (await list.page()).items;
}

/** The methods of the published client, by the ID of their operation. */
function nameOperations(pharos: Pharos): Operations {
  const { monitors, regions, incidents, maintenance, statusPages, webhooks, deliveries } = pharos;
  const { incidentTemplates, markers, emailRecipients, apiKeys, members, invitations } = pharos;
  const { audit, me, reports, service } = pharos;
  return {
    createMonitor: (body) => monitors.create(body),
    createMonitors: (body) => monitors.createMany(body),
    importMonitors: (body) => monitors.importMonitors(body),
    listMonitors: ({ $type: type, ...query } = {}) => items(monitors.list({ ...query, type })),
    getMonitor: (id) => monitors.get(id),
    updateMonitor: (id, body) => monitors.update(id, body),
    deleteMonitor: (id) => monitors.delete(id),
    getMonitorByRef: (ref) => monitors.getByRef(ref),
    upsertMonitor: (ref, body) => monitors.upsert(ref, body),
    deleteMonitorByRef: (ref) => monitors.deleteByRef(ref),
    testMonitor: (body) => monitors.test(body),
    checkMonitor: (id) => monitors.check(id),
    rotateHeartbeat: (id) => monitors.rotateHeartbeat(id),
    backtestMonitor: (id, body) => monitors.backtest(id, body),
    listMonitorEvidence: (id, query) => items(monitors.listEvidence(id, query)),
    listRegions: () => regions.list(),
    createRegion: (body) => regions.create(body),
    getRegion: (id) => regions.get(id),
    updateRegion: (id, body) => regions.update(id, body),
    deleteRegion: (id) => regions.delete(id),
    listRegionProbes: (id) => regions.listProbes(id),
    listRegionTokens: (id, query) => items(regions.listTokens(id, query)),
    createRegionToken: (id, body) => regions.createToken(id, body),
    rotateRegionToken: (id, tokenId, body) => regions.rotateToken(id, tokenId, body),
    revokeRegionToken: (id, tokenId) => regions.revokeToken(id, tokenId),
    listMonitorResults: (id, query) => items(monitors.listResults(id, query)),
    listMonitorTransitions: (id, query) => items(monitors.listTransitions(id, query)),
    listMonitorCorrections: (id) => monitors.listCorrections(id),
    createMonitorCorrection: (id, body) => monitors.createCorrection(id, body),
    deleteMonitorCorrection: (id, correctionId) => monitors.deleteCorrection(id, correctionId),
    getMonitorStats: (id, query) => monitors.getStats(id, query),
    getMonitorListeners: (id, query) => monitors.getListeners(id, query),
    createIncident: (body) => incidents.create(body),
    listIncidents: (query) => items(incidents.list(query)),
    getIncident: (id) => incidents.get(id),
    updateIncident: (id, body) => incidents.update(id, body),
    addIncidentUpdate: (id, body) => incidents.addUpdate(id, body),
    updateScheduledUpdate: (id, updateId, body) => incidents.updateScheduledUpdate(id, updateId, body),
    deleteScheduledUpdate: (id, updateId) => incidents.deleteScheduledUpdate(id, updateId),
    acknowledgeIncident: (id) => incidents.acknowledge(id),
    unacknowledgeIncident: (id) => incidents.unacknowledge(id),
    deleteIncident: (id) => incidents.delete(id),
    createIncidentTemplate: (body) => incidentTemplates.create(body),
    listIncidentTemplates: () => incidentTemplates.list(),
    getIncidentTemplate: (id) => incidentTemplates.get(id),
    updateIncidentTemplate: (id, body) => incidentTemplates.update(id, body),
    deleteIncidentTemplate: (id) => incidentTemplates.delete(id),
    listEmailRecipients: () => emailRecipients.list(),
    createEmailRecipient: (body) => emailRecipients.create(body),
    getEmailRecipient: (id) => emailRecipients.get(id),
    updateEmailRecipient: (id, body) => emailRecipients.update(id, body),
    deleteEmailRecipient: (id) => emailRecipients.delete(id),
    resendEmailRecipientConfirmation: (id) => emailRecipients.resendConfirmation(id),
    createMarker: (body) => markers.create(body),
    listMarkers: (query) => items(markers.list(query)),
    getMarker: (id) => markers.get(id),
    deleteMarker: (id) => markers.delete(id),
    createMaintenance: (body) => maintenance.create(body),
    listMaintenance: (query) => items(maintenance.list(query)),
    getMaintenance: (id) => maintenance.get(id),
    updateMaintenance: (id, body) => maintenance.update(id, body),
    endMaintenance: (id) => maintenance.end(id),
    deleteMaintenance: (id) => maintenance.delete(id),
    createStatusPage: (body) => statusPages.create(body),
    listStatusPages: (query) => items(statusPages.list(query)),
    getStatusPage: (slug) => statusPages.get(slug),
    getPublicStatusPage: (slug) => statusPages.getPublic({ slug }),
    updateStatusPage: (slug, body, { upsert } = {}) => statusPages.update(slug, body, { upsert }),
    uploadLogo: (slug, body) => statusPages.uploadLogo(slug, body),
    deleteLogo: (slug) => statusPages.deleteLogo(slug),
    uploadDarkLogo: (slug, body) => statusPages.uploadDarkLogo(slug, body),
    deleteDarkLogo: (slug) => statusPages.deleteDarkLogo(slug),
    uploadFavicon: (slug, body) => statusPages.uploadFavicon(slug, body),
    deleteFavicon: (slug) => statusPages.deleteFavicon(slug),
    verifyDomain: (slug) => statusPages.verifyDomain(slug),
    importIncidents: (slug, body) => statusPages.importIncidents(slug, body),
    listSubscribers: (slug, query) => items(statusPages.listSubscribers(slug, query)),
    exportSubscribers: (slug, query) => statusPages.exportSubscribers(slug, query),
    importSubscribers: (slug, body) => statusPages.importSubscribers(slug, body),
    removeSubscriber: (slug, id) => statusPages.removeSubscriber(slug, id),
    listPageTokens: (slug, query) => items(statusPages.listTokens(slug, query)),
    createPageToken: (slug, body) => statusPages.createToken(slug, body),
    rotatePageToken: (slug, tokenId, body) => statusPages.rotateToken(slug, tokenId, body),
    revokePageToken: (slug, tokenId) => statusPages.revokeToken(slug, tokenId),
    deleteStatusPage: (slug) => statusPages.delete(slug),
    createWebhook: (body) => webhooks.create(body),
    listWebhooks: (query) => items(webhooks.list(query)),
    getWebhook: (id) => webhooks.get(id),
    updateWebhook: (id, body) => webhooks.update(id, body),
    deleteWebhook: (id) => webhooks.delete(id),
    getWebhookByRef: (ref) => webhooks.getByRef(ref),
    upsertWebhook: (ref, body) => webhooks.upsert(ref, body),
    deleteWebhookByRef: (ref) => webhooks.deleteByRef(ref),
    testWebhook: (id) => webhooks.test(id),
    rotateSecret: (id, body) => webhooks.rotateSecret(id, body),
    finishSecretRotation: (id) => webhooks.finishSecretRotation(id),
    listWebhookDeliveries: (id, query) => items(webhooks.listDeliveries(id, query)),
    recoverDeliveries: (id, body) => webhooks.recoverDeliveries(id, body),
    listDeliveries: (query) => items(deliveries.list(query)),
    getDelivery: (id) => deliveries.get(id),
    replayDelivery: (id) => deliveries.replay(id),
    createApiKey: (body) => apiKeys.create(body),
    listApiKeys: (query) => items(apiKeys.list(query)),
    getApiKey: (id) => apiKeys.get(id),
    updateApiKey: (id, body) => apiKeys.update(id, body),
    rotateApiKey: (id, body) => apiKeys.rotate(id, body),
    revokeApiKey: (id) => apiKeys.revoke(id),
    listMembers: (query) => items(members.list(query)),
    getMember: (id) => members.get(id),
    updateMember: (id, body) => members.update(id, body),
    removeMember: (id) => members.remove(id),
    inviteMember: (body) => invitations.create(body),
    listInvitations: (query) => items(invitations.list(query)),
    revokeInvitation: (id) => invitations.revoke(id),
    listAuditEntries: (query) => items(audit.list(query)),
    exportAudit: (query) => audit.export(query),
    getUptimeReport: (query) => reports.getUptime(query),
    exportUptimeReport: (query) => reports.exportUptime(query),
    getMe: () => me.get(),
    getHealth: () => service.getHealth(),
    getLive: () => service.getLive(),
    checkTlsAllowed: (domain) => service.checkTlsAllowed({ domain }),
    getOpenApiDocument: () => service.getDocument(),
  };
}
