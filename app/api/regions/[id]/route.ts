import { deleteRegion, updateRegion } from '@/lib/domain/regions/change-region';
import { getRegion } from '@/lib/domain/regions/list-regions';
import { getEnvironment } from '@/lib/env';
import { messageSchema } from '@/lib/schemas/monitor';
import { regionSchema, updateRegionSchema } from '@/lib/schemas/monitor/region';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

const options = () => ({ showsHosts: getEnvironment().SIGN_UP !== 'open' });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'getRegion',
    summary: 'Retrieve a region',
    scope: 'read',
    output: regionSchema,
    run: ({ ctx, params }) => getRegion(ctx, params.id ?? '', options()),
  }),
  PUT: operation({
    operationId: 'updateRegion',
    summary: 'Rename or move an own region',
    scope: 'write',
    body: updateRegionSchema,
    output: regionSchema,
    run: ({ ctx, params, body }) => updateRegion(ctx, params.id ?? '', body, options()),
  }),
  DELETE: operation({
    operationId: 'deleteRegion',
    summary: 'Delete an own region',
    description:
      'Not while monitors are checked from there. Its tokens are revoked; old results keep its ID.',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => deleteRegion(ctx, params.id ?? ''),
  }),
});
