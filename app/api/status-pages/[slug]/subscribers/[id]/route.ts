import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { messageSchema } from '@/lib/schemas/monitor';
import { removeSubscriber } from '@/lib/subscribers/remove-subscriber';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  DELETE: operation({
    summary: 'Remove a subscriber of a status page',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => removeSubscriber(ctx, params.slug ?? '', params.id ?? ''),
  }),
});
