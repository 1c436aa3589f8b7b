import { testMonitor } from '@/lib/domain/monitors/test-monitor';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { respondToPage } from '../../../respond-to-page';

/** Checks the target of a monitor that may be imported once; stops when the page is left. */
export function POST(request: Request): Promise<Response> {
  return respondToPage(request, 'monitor.test', (ctx, body) =>
    testMonitor(ctx, parseInput(createMonitorSchema, body), request.signal),
  );
}
