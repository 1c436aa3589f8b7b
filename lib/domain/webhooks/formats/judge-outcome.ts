import type { EditableProduct } from '@/lib/webhook-formats/editable';
import type { SentOutcome } from '../send-delivery';

/** The outcome of a request with what the product says about it, which counts more than its status code. */
export function judgeOutcome(
  product: EditableProduct,
  { outcome, text }: { outcome: SentOutcome; text: string },
): { outcome: SentOutcome; isGone: boolean } {
  if (outcome.kind === 'failed') return { outcome, isGone: false };
  const { request, duration, response } = outcome;
  const verdict = product.judge({ statusCode: response.statusCode, headers: response.headers, text });
  if (verdict === null) return { outcome, isGone: false };
  const { error, isGone } = verdict;
  const made = { request, duration, response };
  return {
    outcome: error === null ? { ...made, kind: 'delivered' } : { ...made, kind: 'rejected', error },
    isGone,
  };
}
