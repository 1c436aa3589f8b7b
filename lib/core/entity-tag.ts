/** Whether an `If-None-Match` header names the tag, or any; compared weakly (RFC 9110, 13.1.2). */
export function namesTag(ifNoneMatch: string | null | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false;
  const tags = ifNoneMatch.split(',').map(opaque);
  return tags.includes('*') || tags.includes(opaque(etag));
}

/** Whether an `If-Match` header names the tag, or any; compared strongly, so that a weak tag is named by none (RFC 9110, 13.1.1). */
export function matchesTag(ifMatch: string, etag: string): boolean {
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') || (!etag.startsWith('W/') && tags.includes(etag));
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
