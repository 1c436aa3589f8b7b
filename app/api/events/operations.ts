import { createMarker } from '@/lib/domain/markers/create-marker';
import { deleteMarker } from '@/lib/domain/markers/delete-marker';
import { getMarker, listMarkers } from '@/lib/domain/markers/read-markers';
import { messageSchema } from '@/lib/schemas/monitor';
import { createMarkerSchema, markerSchema, markersQuerySchema } from '@/lib/schemas/monitor/marker';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { resource } from '@/lib/web/http/route';

export const markers = resource({
  '/events': {
    GET: listOperation({
      operationId: 'listMarkers',
      summary: 'List deploy markers',
      description: 'By `occurredAt`, newest first.',
      scope: 'read',
      query: markersQuerySchema,
      item: markerSchema,
      run: ({ ctx, query }) => listMarkers(ctx, query),
    }),
    POST: operation({
      operationId: 'createMarker',
      summary: 'Mark a deploy',
      description:
        'Marks a deploy or another change: charts of the monitors it concerns show it, and an outage lists it under "What changed". ' +
        'It sends nothing to webhooks. The newest 5,000 markers are kept, for 400 days.',
      scope: 'write',
      errors: ['UNKNOWN_MONITOR'],
      body: createMarkerSchema,
      output: markerSchema,
      created: ({ id }) => `/events/${id}`,
      run: ({ ctx, body }) => createMarker(ctx, body),
    }),
  },
  '/events/{id}': {
    GET: operation({
      operationId: 'getMarker',
      summary: 'Retrieve a deploy marker',
      scope: 'read',
      output: markerSchema,
      run: ({ ctx, params }) => getMarker(ctx, params.id ?? ''),
    }),
    DELETE: operation({
      operationId: 'deleteMarker',
      summary: 'Delete a deploy marker',
      scope: 'write',
      output: messageSchema,
      run: ({ ctx, params }) => deleteMarker(ctx, params.id ?? ''),
    }),
  },
});
