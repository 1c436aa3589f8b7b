const NAME = 'pharos.single-keys';
const OFF = 'off';

/**
 * Whether keys without ⌘ or Ctrl do something in this browser. Who dictates, or hits keys by mistake, switches them off
 * (WCAG 2.1.4). A browser that keeps nothing has them on.
 */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(NAME) !== OFF;
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, OFF);
  } catch {
    // It is forgotten with the page.
  }
}
