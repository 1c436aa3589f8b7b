/** The logo's address; null for everything but https, whatever is stored. */
export function readLogo(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, username, password, href } = new URL(url);
  return protocol === 'https:' && username === '' && password === '' ? href : null;
}
