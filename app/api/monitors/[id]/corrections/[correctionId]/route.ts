import { deleteCorrection } from '@/lib/domain/monitors/corrections/change-corrections';
import { messageSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  DELETE: operation({
    operationId: 'deleteMonitorCorrection',
    summary: 'Delete a correction',
    description: 'The time counts as it was measured again.',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => deleteCorrection(ctx, params.id ?? '', params.correctionId ?? ''),
  }),
});
