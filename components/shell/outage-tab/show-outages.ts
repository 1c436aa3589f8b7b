/** The icon with a red dot. */
const ICON = '/icon-down.svg';
const PREFIX = /^\([\d,]+ down\) /;

/**
 * Shows in the tab how many monitors are down, `(2 down) Monitors · Pharos` with a dot on the icon, also after the page changes its title.
 * Returns the function that shows the tab as it was.
 */
export function showOutages(page: Document, down: number): () => void {
  if (down === 0) return () => undefined;
  const own = new Map<HTMLLinkElement, string>();
  const show = () => {
    const title = withOutages(page.title, down);
    if (page.title !== title) page.title = title;
    for (const icon of page.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')) {
      if (icon.getAttribute('href') === ICON) continue;
      own.set(icon, icon.href);
      icon.href = ICON;
    }
  };
  // The page replaces both when it leads to another one.
  const observer = new MutationObserver(show);
  observer.observe(page.head, { childList: true, characterData: true, subtree: true });
  show();
  return () => {
    observer.disconnect();
    page.title = withOutages(page.title, 0);
    for (const [icon, href] of own) icon.href = href;
  };
}

/** The title of a page with the number of monitors that are down, instead of any that it has. */
export function withOutages(title: string, down: number): string {
  const bare = title.replace(PREFIX, '');
  return down === 0 ? bare : `(${down.toLocaleString('en')} down) ${bare}`;
}
