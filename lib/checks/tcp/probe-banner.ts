import { memoizeByObject } from '@/lib/core/calls/memoize';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';

export const MAX_BANNER_BYTES = 8192;

/** The assertions of a target that are about the banner. */
export const listBannerAssertions = memoizeByObject(({ assertions }: Pick<ProbeTarget, 'assertions'>) =>
  assertions.filter(({ source }) => source === 'banner'),
);
