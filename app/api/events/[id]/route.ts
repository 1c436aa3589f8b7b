import { deleteMarker } from '@/lib/domain/markers/delete-marker';
import { getMarker } from '@/lib/domain/markers/read-markers';
import { messageSchema } from '@/lib/schemas/monitor';
import { markerSchema } from '@/lib/schemas/monitor/marker';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
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
});
