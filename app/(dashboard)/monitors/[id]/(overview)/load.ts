import 'server-only';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { loaderOf } from '../../../act';

export const load = loaderOf(getMonitor);
