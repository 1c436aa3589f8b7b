/** Whether an `If-None-Match` header names the tag, or any; compared weakly (RFC 9110, 13.1.2). */
export function namesTag(ifNoneMatch: string | null | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false;
  const tags = ifNoneMatch.split(',').map(opaque);
  return tags.includes('*') || tags.includes(opaque(etag));
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
