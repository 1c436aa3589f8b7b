import { ANNOUNCEMENT_MARKS } from './application';

/** Whether a body can have marks. */
export function isHtml(contentType: string): boolean {
  return /^text\/html/.test(contentType);
}

/** Where the announcement of a page is in its body, and when it ends in epoch milliseconds; null if it has none. */
export function findAnnouncement(body: Buffer, contentType: string) {
  const { start, end } = ANNOUNCEMENT_MARKS;
  const from = isHtml(contentType) ? body.indexOf(start) : -1;
  if (from < 0) return null;
  const after = from + start.length;
  const to = body.indexOf(end, after) + end.length;
  return { from, to, endsAt: Date.parse(body.toString('latin1', after, body.indexOf('"', after))) };
}

/** The body without its announcement. */
export function without(body: Buffer, { from, to }: { from: number; to: number }): Buffer {
  return Buffer.concat([body.subarray(0, from), body.subarray(to)]);
}
