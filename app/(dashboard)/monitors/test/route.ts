import { testMonitor } from '@/lib/domain/monitors/test-monitor';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput, testRequestSchema } from '@/lib/schemas/validation';
import { respondToPage } from '../../respond-to-page';
import { readTypedMonitor } from '../read-typed-monitor';

/** Runs one check from one region with the settings of the form; stops when the page is left. */
export function POST(request: Request): Promise<Response> {
  return respondToPage(request, 'monitor.test', async (ctx, body) => {
    const { typed, region, source } = parseInput(testRequestSchema, body);
    const input = await readTypedMonitor(ctx, typed, source);
    // Name, tags, ref, and other regions do not matter to a test.
    const tested = { ...input, name: 'Test', tags: [], ref: null, regions: [region] };
    return testMonitor(ctx, parseInput(createMonitorSchema, tested), request.signal);
  });
}
