import {
  acknowledgeIncident,
  unacknowledgeIncident,
} from '@/lib/domain/incidents/acknowledge/acknowledge-incident';
import { deleteIncident, updateIncident } from '@/lib/domain/incidents/change-incident';
import { changePublication } from '@/lib/domain/incidents/change-publication';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { previewResolution } from '@/lib/domain/incidents/preview-resolution';
import { readIncidentLog, readReasons } from '@/lib/domain/incidents/read-incident-log';
import { listStoryMembers, readIncidentStories } from '@/lib/domain/incidents/read-incident-stories';
import {
  getIncident,
  listIncidents,
  listIncidentsOfMonitor,
  searchIncidents,
} from '@/lib/domain/incidents/read-incidents';
import { readNotified } from '@/lib/domain/incidents/read-notified';
import {
  addIncidentUpdate,
  cancelScheduledUpdate,
  changeScheduledUpdate,
} from '@/lib/domain/incidents/schedule/schedule-update';
import {
  createIncidentTemplate,
  deleteIncidentTemplate,
  updateIncidentTemplate,
} from '@/lib/domain/incidents/templates/change-templates';
import { getIncidentTemplate, listIncidentTemplates } from '@/lib/domain/incidents/templates/read-templates';
import { listFlappingTimes } from '@/lib/domain/monitors/history/flapping-times';
import { readTimeline } from '@/lib/domain/timelines/read-timeline';
import {
  aMonitor,
  anIncident,
  anIncidentTemplate,
  PAGE,
  reads,
  SEARCH,
  type VerbCall,
  writes,
} from './verb-call';
import { inputs, type World } from './world';

const aScheduledUpdate = (world: World) => world.scheduledUpdate();
const aPublishable = (world: World) => world.publishable();
const inAnHour = () => new Date(Date.now() + 3_600_000);

const OPENED = {
  startedAt: new Date(0).toISOString(),
  createdAt: new Date(0).toISOString(),
  resolvedAt: null,
};

/** The verbs about incidents. */
export const INCIDENT_CALLS: Record<string, VerbCall> = {
  'incidents/createIncident': writes('incident.create', (ctx) => createIncident(ctx, inputs.incident())),
  'incidents/updateIncident': writes(
    'incident.update',
    (ctx, id) => updateIncident(ctx, id, { status: 'resolved' }),
    anIncident,
  ),
  'incidents/changePublication': writes(
    'incident.update',
    (ctx, { id, pageId }) => changePublication(ctx, id, { pageId, isPublished: true }),
    aPublishable,
  ),
  'incidents/acknowledgeIncident': writes('incident.acknowledge', acknowledgeIncident, anIncident),
  'incidents/unacknowledgeIncident': writes('incident.acknowledge', unacknowledgeIncident, (world) =>
    world.acknowledgedIncident(),
  ),
  'incidents/addIncidentUpdate': writes(
    'incident.update',
    (ctx, id) =>
      addIncidentUpdate(ctx, id, {
        message: 'More soon.',
        status: null,
        translations: null,
        publishAt: inAnHour(),
      }),
    anIncident,
  ),
  'incidents/changeScheduledUpdate': writes(
    'incident.update',
    (ctx, { id, updateId }) => changeScheduledUpdate(ctx, id, updateId, { message: 'Later.' }),
    aScheduledUpdate,
  ),
  'incidents/cancelScheduledUpdate': writes(
    'incident.update',
    (ctx, { id, updateId }) => cancelScheduledUpdate(ctx, id, updateId),
    aScheduledUpdate,
  ),
  'incidents/deleteIncident': writes('incident.delete', deleteIncident, anIncident),
  'incidents/listIncidentsOfMonitor': reads(
    'incident.read',
    (ctx, id) => listIncidentsOfMonitor(ctx, id, 10),
    aMonitor,
  ),
  'incidents/listIncidents': reads('incident.read', (ctx) => listIncidents(ctx, PAGE)),
  'incidents/searchIncidents': reads('incident.read', (ctx) => searchIncidents(ctx, SEARCH)),
  'incidents/getIncident': reads('incident.read', getIncident, anIncident),
  'incidents/previewResolution': reads('incident.read', previewResolution, anIncident),
  'incidents/readIncidentLog': reads('incident.read', (ctx) =>
    readIncidentLog(ctx, { after: null, limit: 10 }),
  ),
  'incidents/readNotified': reads(
    'delivery.read',
    (ctx, id) => readNotified(ctx, { id, createdAt: new Date(0) }),
    anIncident,
  ),
  'incidents/readIncidentStories': reads(
    'incident.read',
    (ctx, id) => readIncidentStories(ctx, [id]),
    anIncident,
  ),
  'incidents/listStoryMembers': reads('incident.read', (ctx) =>
    listStoryMembers(ctx, 'none', { except: '', limit: 10 }),
  ),
  'monitors/listFlappingTimes': reads('monitor.read', (ctx) => listFlappingTimes(ctx, 'none')),
  'timelines/readTimeline': reads(
    'incident.read',
    async (ctx, id) => readTimeline(ctx, { id, affectedMonitors: [], ...OPENED }),
    anIncident,
  ),
  'incidents/readReasons': reads('incident.read', readReasons, anIncident),
  'incidents/createIncidentTemplate': writes('incident-template.create', (ctx) =>
    createIncidentTemplate(ctx, inputs.incidentTemplate()),
  ),
  'incidents/updateIncidentTemplate': writes(
    'incident-template.update',
    (ctx, id) => updateIncidentTemplate(ctx, id, { title: 'Payments fail' }),
    anIncidentTemplate,
  ),
  'incidents/deleteIncidentTemplate': writes(
    'incident-template.delete',
    deleteIncidentTemplate,
    anIncidentTemplate,
  ),
  'incidents/listIncidentTemplates': reads('incident-template.read', listIncidentTemplates),
  'incidents/getIncidentTemplate': reads('incident-template.read', getIncidentTemplate, anIncidentTemplate),
};
