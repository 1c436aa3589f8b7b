import { z } from 'zod';

const MAX_LABEL = 60;

/** The query of a badge. Other parameters are left alone: places that show images add their own. */
export const badgeQuery = z
  .object({
    monitor: z.string('must be given once').max(100).optional(),
    show: z.enum(['status', 'uptime'], 'must be status or uptime').default('status'),
    label: z
      .string('must be given once')
      .max(MAX_LABEL, `must be at most ${MAX_LABEL} characters`)
      .optional(),
  })
  .refine(({ show, monitor }) => show === 'status' || monitor !== undefined, {
    path: ['monitor'],
    message: 'must be given with show=uptime',
  });

export type BadgeQuery = z.output<typeof badgeQuery>;
