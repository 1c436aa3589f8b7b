import { hideHeaders, listHiddenHeaders } from '@/lib/schemas/hidden';

/** Headers with those of an endpoint, which replace others of the same name in any case. */
export function withOwn(
  headers: Record<string, string>,
  own: Record<string, string>,
): Record<string, string> {
  if (Object.keys(own).length === 0) return headers;
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...own };
}

/** The headers of an endpoint whose values are secret. */
export function secretHeaders(headers: Record<string, string>): Record<string, string> {
  const hidden = listHiddenHeaders(hideHeaders(headers));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => hidden.includes(name)));
}
