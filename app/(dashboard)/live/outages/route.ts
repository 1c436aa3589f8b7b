import { countDownMonitors } from '@/lib/domain/monitors/count-down';
import { respondToPage } from '../../respond-to-page';

/** How many monitors are down, for the tab of the browser. */
export function POST(request: Request): Promise<Response> {
  return respondToPage(request, 'monitor.read', countDownMonitors);
}
