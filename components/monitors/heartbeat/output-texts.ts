import type { SeenBody } from '@/lib/checks/evidence';

/** What is not shown of an output that is too long, or not text. */
export function formatSize({ text, size, type, encoding }: SeenBody): string {
  const bytes = size.toLocaleString('en-US');
  if (text !== null) return `Truncated: the rest of ${bytes} or more bytes was not kept.`;
  const what = [type, encoding].filter((each) => each !== null).join(', ');
  return `${bytes} bytes that are not text${what === '' ? '' : `: ${what}`}.`;
}
