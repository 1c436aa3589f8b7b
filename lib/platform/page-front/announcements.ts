import { ANNOUNCEMENT_MARKS, STALE_MARK } from './application';

/** Whether a body can have marks. */
export function isHtml(contentType: string): boolean {
  return /^text\/html/.test(contentType);
}

/**
 * Where the announcement of a page is in its body, and when it ends in epoch milliseconds; null if it has none. It follows the mark at the
 * start of the content: the rest, which is long, is not searched.
 */
export function findAnnouncement(body: Buffer, contentType: string) {
  const { start, end } = ANNOUNCEMENT_MARKS;
  const mark = isHtml(contentType) ? body.indexOf(STALE_MARK) : -1;
  const from = mark + STALE_MARK.length;
  const after = from + start.length;
  if (mark < 0 || body.toString('latin1', from, after) !== start) return null;
  const to = body.indexOf(end, after) + end.length;
  return { from, to, endsAt: Date.parse(body.toString('latin1', after, body.indexOf('"', after))) };
}

/** The body without its announcement. */
export function without(body: Buffer, { from, to }: { from: number; to: number }): Buffer {
  return Buffer.concat([body.subarray(0, from), body.subarray(to)]);
}
