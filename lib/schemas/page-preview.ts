import { z } from 'zod';
import { cutText } from '@/lib/core/storable-text';
import { MAX_PAGE_MONITORS } from './status-page';
import { THEME_DEFAULTS } from './theme-defaults';

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
