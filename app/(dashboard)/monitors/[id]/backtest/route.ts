import { backtestMonitor } from '@/lib/domain/monitors/backtest-monitor';
import { backtestInputSchema } from '@/lib/schemas/monitor/backtest';
import { parseInput } from '@/lib/schemas/validation';
import { respondToPage } from '../../../respond-to-page';

type Context = { params: Promise<{ id: string }> };

/** Replays the last days with the settings of the form. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const { id } = await params;
  return respondToPage(request, 'monitor.read', (ctx, body) =>
    backtestMonitor(ctx, id, parseInput(backtestInputSchema, body), request.signal),
  );
}
