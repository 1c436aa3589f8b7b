import { removeSubscriber } from '@/lib/domain/subscribers/read-subscribers';
import { messageSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  DELETE: operation({
    operationId: 'removeSubscriber',
    summary: 'Remove a subscriber of a status page',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => removeSubscriber(ctx, params.slug ?? '', params.id ?? ''),
  }),
});
