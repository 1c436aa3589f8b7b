import { z } from 'zod';
import { getEnvironment } from '@/lib/env';
import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { createStatusPageSchema, statusPageSchema } from '@/lib/schemas/status-page';
import { createStatusPage } from '@/lib/status-pages/create-status-page';
import { listStatusPages } from '@/lib/status-pages/read-status-pages';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    summary: 'List all status pages',
    scope: 'read',
    output: z.array(statusPageSchema),
    run: ({ ctx }) => listStatusPages(ctx),
  }),
  POST: operation({
    summary: 'Create a status page',
    scope: 'write',
    body: createStatusPageSchema,
    output: statusPageSchema,
    status: 201,
    run: ({ ctx, body }) => createStatusPage(ctx, body, { appUrl: getEnvironment().APP_URL }),
  }),
});
