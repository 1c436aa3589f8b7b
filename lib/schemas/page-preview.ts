import { z } from 'zod';
import { cutText } from '@/lib/core/storable-text';
import { MAX_PAGE_MONITORS } from './status-page';
import { THEME_DEFAULTS } from './theme-defaults';

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

const MONITOR_ID = /^mon_[0-9a-z]+$/;

/** Whatever a field holds while it is being typed; what is too long for the page is cut, for the form says so itself. */
/** As much as the form itself could send. */
const MAX_TYPED = 100_000;
const typed = (max: number) =>
  z
    .string()
    .max(MAX_TYPED)
    .transform((value) => cutText(value, max));
const colour = (fallback: string) => z.string().max(100).catch(fallback);

/**
 * What a preview of a status page is drawn from: a form that is still being filled in. So nothing is refused that can be
 * drawn in some way; a colour that is none yet is left to who draws it.
 */
export const pagePreviewSchema = z.object({
  name: typed(100),
  description: typed(500),
  logoUrl: typed(2048),
  theme: z.object({
    primaryColor: colour(THEME_DEFAULTS.primaryColor),
    backgroundColor: colour(THEME_DEFAULTS.backgroundColor),
    textColor: colour(THEME_DEFAULTS.textColor),
  }),
  monitors: z
    .array(z.string().max(100))
    .max(MAX_PAGE_MONITORS)
    .transform((ids) => [...new Set(ids)].filter((id) => MONITOR_ID.test(id))),
  showResponseTimes: z.boolean(),
  /** What the visitor's system is set to. */
  scheme: z.enum(['light', 'dark']),
});

export type PagePreview = z.output<typeof pagePreviewSchema>;
