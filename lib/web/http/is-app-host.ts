/** How a proxy beside us names us: by an address, or by a container's name. No custom domain looks like either. */
const NEIGHBOUR = /^((\d+\.){3}\d+|\[[0-9a-f:.]+\]|[a-z0-9_-]+)$/;

/**
 * Whether a `Host` is the app's own, as APP_URL says, or one that only a neighbour uses. Without APP_URL every host may be
 * the app's.
 */
export function isAppHost(host: string | null, appUrl: string | undefined): boolean {
  if (appUrl === undefined) return true;
  const name = (host ?? '').toLowerCase().replace(/:\d*$/, '');
  return name === new URL(appUrl).hostname || NEIGHBOUR.test(name);
}
