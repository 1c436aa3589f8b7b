import { z } from 'zod';
import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { createMonitor } from '@/lib/monitors/create-monitor';
import { listMonitors } from '@/lib/monitors/list-monitors';
import { createMonitorSchema, monitorSchema } from '@/lib/schemas/monitor';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    summary: 'List all monitors of the organization',
    scope: 'read',
    output: z.array(monitorSchema),
    run: ({ ctx }) => listMonitors(ctx),
  }),
  POST: operation({
    summary: 'Create a monitor',
    scope: 'write',
    body: createMonitorSchema,
    output: monitorSchema,
    status: 201,
    run: ({ ctx, body }) => createMonitor(ctx, body),
  }),
});
