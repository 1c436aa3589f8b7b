import { invalidState } from '@/lib/core/errors';
import { awaitCheck } from '@/lib/domain/monitors/check-monitor';
import { checkPartSchema, parseInput } from '@/lib/schemas/validation';
import { respondToPage } from '../../../../respond-to-page';

/** Waits for the result of a requested check from one region; stops when the page is left. */
export function POST(request: Request): Promise<Response> {
  return respondToPage(request, 'monitor.test', async (ctx, body) => {
    const { check, region } = parseInput(checkPartSchema, body);
    const { results } = await awaitCheck(ctx, check, { region, signal: request.signal });
    const [result] = results;
    if (!result) throw invalidState('No worker reported in time.');
    return result;
  });
}
