import { renewBrowser } from '@/lib/domain/push/change-browsers';
import { pushTargetSchema } from '@/lib/schemas/push';
import { parseInput } from '@/lib/schemas/validation';
import { respondToPage } from '../../../respond-to-page';

/** From the service worker: the push service gave the browser of this session another address. */
export function POST(request: Request): Promise<Response> {
  return respondToPage(request, 'session', (ctx, body, { id }) =>
    renewBrowser(ctx, id, parseInput(pushTargetSchema, body)),
  );
}
