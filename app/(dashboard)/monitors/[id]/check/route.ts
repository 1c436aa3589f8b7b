import { requestCheck } from '@/lib/domain/monitors/check-monitor';
import { respondToPage } from '../../../respond-to-page';

/** Requests one check from each region of a monitor. */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const { id } = await params;
  return respondToPage(request, 'monitor.test', (ctx) => requestCheck(ctx, id));
}
