import type { PageMonitorState } from '@/lib/domain/status-pages/page-status';
import type { PageState } from '@/lib/schemas/status-pages/page-state';

export type StateTone = 'good' | 'slow' | 'bad' | 'info' | 'rest';

export const TONE_OF: Record<PageMonitorState | PageState, StateTone> = {
  operational: 'good',
  degraded: 'slow',
  partialOutage: 'slow',
  majorOutage: 'bad',
  down: 'bad',
  maintenance: 'info',
  pending: 'rest',
  noData: 'rest',
  paused: 'rest',
  unknown: 'rest',
  empty: 'rest',
};
