import { testMonitor } from '@/lib/domain/monitors/test-monitor';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput, testRequestSchema } from '@/lib/schemas/validation';
import { respondToPage } from '../../respond-to-page';
import { readTypedMonitor } from '../read-typed-monitor';

/** Checks once, from one region, what a form holds; ends when the page is left. */
export function POST(request: Request): Promise<Response> {
  return respondToPage(request, async (ctx, body) => {
    const { typed, region, source } = parseInput(testRequestSchema, body);
    const input = await readTypedMonitor(ctx, typed, source);
    // Neither what it is called nor from where else it is checked matters to a test.
    const tested = { ...input, name: 'Test', tags: [], ref: null, regions: [region] };
    return testMonitor(ctx, parseInput(createMonitorSchema, tested), request.signal);
  });
}
