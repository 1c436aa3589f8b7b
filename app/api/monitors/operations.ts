import { z } from 'zod';
import { readListeners } from '@/lib/domain/listeners/read-listeners';
import { backtestMonitor } from '@/lib/domain/monitors/backtest-monitor';
import { deleteMonitor, deleteMonitorByRef } from '@/lib/domain/monitors/change-selected';
import { awaitCheck, requestCheck } from '@/lib/domain/monitors/check-monitor';
import {
  createCorrection,
  deleteCorrection,
  listCorrections,
} from '@/lib/domain/monitors/corrections/change-corrections';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { listEvidence } from '@/lib/domain/monitors/evidence/read-evidence';
import { getMonitor, getMonitorByRef } from '@/lib/domain/monitors/find-monitor';
import { rotateHeartbeat } from '@/lib/domain/monitors/heartbeats/rotate-heartbeat';
import { listTransitions } from '@/lib/domain/monitors/history/ledger';
import { listResults } from '@/lib/domain/monitors/history/read-results';
import { importMonitors } from '@/lib/domain/monitors/imports/import-monitors';
import { listMonitorsInParts } from '@/lib/domain/monitors/lists/list-monitors';
import { readStats } from '@/lib/domain/monitors/read-overview';
import { testMonitor } from '@/lib/domain/monitors/test-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { createMonitors, upsertMonitor } from '@/lib/domain/monitors/writes/create-monitors';
import { parseRef } from '@/lib/schemas/bodies/upsert';
import {
  createMonitorSchema,
  messageSchema,
  monitorSchema,
  updateMonitorSchema,
} from '@/lib/schemas/monitor';
import { backtestInputSchema, backtestSchema } from '@/lib/schemas/monitor/backtest';
import {
  bulkItems,
  bulkMonitorsSchema,
  bulkResultsSchema,
  documentedBulkSchema,
  MAX_BULK_VALUES,
} from '@/lib/schemas/monitor/bulk';
import { correctionSchema, createCorrectionSchema } from '@/lib/schemas/monitor/correction';
import { evidenceQuerySchema, evidenceSchema } from '@/lib/schemas/monitor/evidence';
import {
  documentedImportSchema,
  importMonitorsSchema,
  importResultsSchema,
} from '@/lib/schemas/monitor/import';
import { writeMonitor } from '@/lib/schemas/monitor/monitor-parts';
import { listMonitorsQuery } from '@/lib/schemas/monitor/monitor-query';
import {
  checkResultSchema,
  dryRunSchema,
  manualCheckSchema,
  resultsQuerySchema,
} from '@/lib/schemas/monitor/result';
import { statsQuerySchema, statsSchema } from '@/lib/schemas/monitor/stats';
import { transitionSchema, transitionsQuerySchema } from '@/lib/schemas/monitor/transition';
import { listenersQuerySchema, listenersSchema } from '@/lib/schemas/webhooks/listeners';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { upsertOperation } from '@/lib/web/http/operations/upsert-operation';
import { itemProblem } from '@/lib/web/http/problem';
import { resource } from '@/lib/web/http/route';

export const monitors = resource({
  '/monitors': {
    GET: listOperation({
      operationId: 'listMonitors',
      summary: 'List monitors',
      description: 'Newest first by default, and complete unless you set `limit`.',
      scope: 'read',
      query: listMonitorsQuery,
      item: monitorSchema,
      isShared: true,
      write: writeMonitor,
      run: ({ ctx, query }) => listMonitorsInParts(ctx, query),
    }),
    POST: operation({
      operationId: 'createMonitor',
      summary: 'Create a monitor',
      scope: 'write',
      errors: ['UNKNOWN_MONITOR', 'UNKNOWN_REGION', 'BLOCKED_TARGET', 'PLAN_LIMIT_EXCEEDED', 'REF_TAKEN'],
      body: createMonitorSchema,
      output: monitorSchema,
      created: ({ id }) => `/monitors/${id}`,
      run: ({ ctx, body }) => createMonitor(ctx, body),
    }),
  },
  '/monitors/bulk': {
    POST: operation({
      operationId: 'createMonitors',
      summary: 'Create many monitors',
      description:
        'Each monitor is created, or not, for itself: the response is 200, with a result for each in the order sent. With `atomic`, all are created or none: the first error is that of the whole request, with paths such as `monitors.3.name`. With `upsert`, a monitor whose `ref` exists is changed instead, and only what is to change is required. The second of two monitors with the same `ref` is REF_TAKEN.',
      scope: 'write',
      errors: [
        'UNKNOWN_MONITOR',
        'UNKNOWN_REGION',
        'BLOCKED_TARGET',
        'PLAN_LIMIT_EXCEEDED',
        'CONFLICT',
        'REF_TAKEN',
      ],
      body: bulkMonitorsSchema,
      documentedBody: documentedBulkSchema,
      maxValues: MAX_BULK_VALUES,
      output: bulkResultsSchema,
      run: async ({ ctx, body }) => {
        const { monitors, atomic: isAtomic, upsert: isUpsert } = body;
        const outcomes = await createMonitors(ctx, bulkItems(monitors), { isAtomic, isUpsert });
        const results = outcomes.map((outcome) => {
          if ('error' in outcome) return itemProblem(outcome.error);
          return { status: outcome.isCreated ? (201 as const) : (200 as const), monitor: outcome.resource };
        });
        return { results };
      },
    }),
  },
  '/monitors/import': {
    POST: operation({
      operationId: 'importMonitors',
      summary: 'Import monitors',
      description:
        'What the dashboard and the command line use to import a file. Like `/monitors/bulk` with `upsert`; in addition, it keeps secrets that a file hides, distinguishes several sources of a format, and returns what changes, and which changes of people it overwrites. With `dryRun`, nothing is written.',
      scope: 'write',
      errors: [
        'UNKNOWN_MONITOR',
        'UNKNOWN_REGION',
        'BLOCKED_TARGET',
        'PLAN_LIMIT_EXCEEDED',
        'CONFLICT',
        'REF_TAKEN',
      ],
      body: importMonitorsSchema,
      documentedBody: documentedImportSchema,
      maxValues: MAX_BULK_VALUES,
      output: importResultsSchema,
      run: async ({ ctx, body }) => {
        const { source, outcomes } = await importMonitors(ctx, body);
        const results = outcomes.map((outcome) =>
          'error' in outcome ? itemProblem(outcome.error) : outcome,
        );
        return { source, results };
      },
    }),
  },
  '/monitors/by-ref/{ref}': {
    GET: operation({
      operationId: 'getMonitorByRef',
      summary: 'Retrieve a monitor by its ref',
      scope: 'read',
      output: monitorSchema,
      run: ({ ctx, params }) => getMonitorByRef(ctx, params.ref ?? ''),
    }),
    PUT: upsertOperation({
      operationId: 'upsertMonitor',
      summary: 'Create or update a monitor by its ref',
      description:
        'Creates the monitor (201) if you have none with this `ref`; then `name` and `url` are required, and the defaults of POST apply. Otherwise updates it (200) as PUT by ID does. A `ref` in the body must be that of the path.',
      errors: ['UNKNOWN_MONITOR', 'UNKNOWN_REGION', 'BLOCKED_TARGET', 'PLAN_LIMIT_EXCEEDED', 'REF_TAKEN'],
      body: { creation: createMonitorSchema, changes: updateMonitorSchema },
      field: ({ ref = '' }) => ({ name: 'ref', value: parseRef(ref) }),
      output: monitorSchema,
      createdOutput: monitorSchema,
      created: ({ id }) => `/monitors/${id}`,
      run: ({ ctx, params, body }) => upsertMonitor(ctx, params.ref ?? '', body),
    }),
    DELETE: operation({
      operationId: 'deleteMonitorByRef',
      summary: 'Delete a monitor by its ref',
      scope: 'write',
      output: messageSchema,
      run: ({ ctx, params }) => deleteMonitorByRef(ctx, params.ref ?? ''),
    }),
  },
  '/monitors/test': {
    POST: operation({
      keepsNothing: true,
      operationId: 'testMonitor',
      summary: 'Test a monitor without creating it',
      description:
        'Runs a single check and stores nothing. At most ten of an organization run at the same time: others are 429 RATE_LIMITED with `Retry-After`. A client that disconnects ends its run.',
      scope: 'write',
      errors: ['UNKNOWN_REGION', 'BLOCKED_TARGET', 'PLAN_LIMIT_EXCEEDED'],
      body: createMonitorSchema,
      output: dryRunSchema,
      run: ({ ctx, body, signal }) => testMonitor(ctx, body, signal),
    }),
  },
  '/monitors/{id}': {
    GET: operation({
      operationId: 'getMonitor',
      summary: 'Retrieve a monitor',
      scope: 'read',
      output: monitorSchema,
      run: ({ ctx, params }) => getMonitor(ctx, params.id ?? ''),
    }),
    PUT: operation({
      operationId: 'updateMonitor',
      summary: 'Update a monitor',
      scope: 'write',
      errors: ['UNKNOWN_MONITOR', 'UNKNOWN_REGION', 'BLOCKED_TARGET', 'PLAN_LIMIT_EXCEEDED', 'REF_TAKEN'],
      body: updateMonitorSchema,
      output: monitorSchema,
      run: ({ ctx, params, body }) => updateMonitor(ctx, params.id ?? '', body),
    }),
    DELETE: operation({
      operationId: 'deleteMonitor',
      summary: 'Delete a monitor',
      scope: 'write',
      output: messageSchema,
      run: ({ ctx, params }) => deleteMonitor(ctx, params.id ?? ''),
    }),
  },
  '/monitors/{id}/backtest': {
    POST: operation({
      keepsNothing: true,
      operationId: 'backtestMonitor',
      summary: 'Backtest a monitor with other settings',
      description: 'Replays the results of the last days. Changes nothing.',
      scope: 'read',
      errors: ['UNKNOWN_REGION', 'PLAN_LIMIT_EXCEEDED'],
      body: backtestInputSchema,
      bodyIsOptional: true,
      output: backtestSchema,
      run: ({ ctx, params, body }) => backtestMonitor(ctx, params.id ?? '', body),
    }),
  },
  '/monitors/{id}/check': {
    POST: operation({
      operationId: 'checkMonitor',
      summary: 'Check a monitor now',
      description:
        'Checks the monitor once from each of its regions, and responds when all have reported, at the latest 5 seconds after its timeout. The results are stored, and never change the status. Once every 10 seconds.',
      scope: 'write',
      errors: ['MONITOR_PAUSED'],
      output: manualCheckSchema,
      run: ({ ctx, params }) => requestCheck(ctx, params.id ?? ''),
      conclude: ({ ctx, signal }, { id }) => awaitCheck(ctx, id, { signal }),
    }),
  },
  '/monitors/{id}/corrections': {
    GET: operation({
      operationId: 'listMonitorCorrections',
      summary: 'List corrections of the ledger of a monitor',
      description: 'By `from`, newest first; at most 100.',
      scope: 'read',
      output: z.array(correctionSchema),
      run: ({ ctx, params }) => listCorrections(ctx, params.id ?? ''),
    }),
    POST: operation({
      operationId: 'createMonitorCorrection',
      summary: 'Correct what a time counts as',
      description:
        'Uptime, day bars and reports count the time as the given state. The ledger does not change, and what was measured is shown with ' +
        'it. Corrections of a monitor must not overlap. Nobody is notified, and incidents do not change.',
      scope: 'write',
      body: createCorrectionSchema,
      output: correctionSchema,
      created: ({ monitorId }) => `/monitors/${monitorId}/corrections`,
      run: ({ ctx, params, body }) => createCorrection(ctx, params.id ?? '', body),
    }),
  },
  '/monitors/{id}/corrections/{correctionId}': {
    DELETE: operation({
      operationId: 'deleteMonitorCorrection',
      summary: 'Delete a correction',
      description: 'The time counts as it was measured again.',
      scope: 'write',
      output: messageSchema,
      run: ({ ctx, params }) => deleteCorrection(ctx, params.id ?? '', params.correctionId ?? ''),
    }),
  },
  '/monitors/{id}/evidence': {
    GET: listOperation({
      operationId: 'listMonitorEvidence',
      summary: 'List what checks of a monitor saw',
      description:
        'The first failure of each run in a region, the first success after it, and one good response a day, for 30 days. Of heartbeats: the output that the job sent with failures, with the first success after one, and once a day. Read-only keys get `[hidden]` instead of bodies, header values, and the paths of redirects.',
      scope: 'read',
      query: evidenceQuerySchema,
      item: evidenceSchema,
      run: ({ ctx, params, query }) => listEvidence(ctx, params.id ?? '', query),
    }),
  },
  '/monitors/{id}/listeners': {
    GET: operation({
      operationId: 'getMonitorListeners',
      summary: 'Preview who is notified of something that happens to a monitor',
      scope: 'read',
      query: listenersQuerySchema,
      output: listenersSchema,
      run: ({ ctx, params, query }) => readListeners(ctx, params.id ?? '', query),
    }),
  },
  '/monitors/{id}/results': {
    GET: listOperation({
      operationId: 'listMonitorResults',
      summary: 'List check results of a monitor',
      scope: 'read',
      query: resultsQuerySchema,
      item: checkResultSchema,
      run: ({ ctx, params, query }) => listResults(ctx, params.id ?? '', query),
    }),
  },
  '/monitors/{id}/rotate-heartbeat': {
    POST: operation({
      operationId: 'rotateHeartbeat',
      summary: 'Replace the URL of a heartbeat',
      description:
        'The old URL stops working at once: calls to it are 404. Only for monitors of type `heartbeat`; for others, 400 `VALIDATION_ERROR`.',
      scope: 'write',
      output: monitorSchema,
      run: ({ ctx, params }) => rotateHeartbeat(ctx, params.id ?? ''),
    }),
  },
  '/monitors/{id}/stats': {
    GET: operation({
      operationId: 'getMonitorStats',
      summary: 'Retrieve uptime and response times of a monitor',
      scope: 'read',
      query: statsQuerySchema,
      output: statsSchema,
      run: ({ ctx, params, query }) => readStats(ctx, params.id ?? '', query),
    }),
  },
  '/monitors/{id}/transitions': {
    GET: listOperation({
      operationId: 'listMonitorTransitions',
      summary: 'List status changes of a monitor with their reasons',
      scope: 'read',
      query: transitionsQuerySchema,
      item: transitionSchema,
      run: ({ ctx, params, query }) => listTransitions(ctx, params.id ?? '', query),
    }),
  },
});
