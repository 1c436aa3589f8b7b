'use client';

import { useEffect, useRef } from 'react';

const LANGUAGE_KEY = 'docs-language';
const SHOWN_MS = 2000;

/** Interactive behavior of the page: copying, one language for all samples, and the current position in the contents. */
export function PageBehavior() {
  const status = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const onClick = ({ target }: Event) => {
      if (!(target instanceof Element)) return;
      const button = target.closest<HTMLElement>('[data-copy]');
      if (button) void copyNext(button, (text) => status.current?.replaceChildren(text));
      const contents = target.closest<HTMLElement>('[popover]:popover-open');
      if (target.closest('a')) contents?.hidePopover();
    };
    const onChange = ({ target }: Event) => {
      if (target instanceof HTMLInputElement && target.dataset.language !== undefined) {
        chooseLanguage(target);
      }
    };
    document.addEventListener('click', onClick, { signal });
    document.addEventListener('change', onChange, { signal });
    window.addEventListener('hashchange', followOldAddress, { signal });
    followOldAddress();
    const stored = readLanguage();
    if (stored !== null) {
      showLanguage(stored);
      // Samples of different lengths move the target of the anchor.
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
    }
    const stopObserving = markCurrent();
    return () => {
      stop.abort();
      stopObserving();
    };
  }, []);

  return <p ref={status} role="status" className="sr-only" />;
}

/** Redirects anchors from when the reference was one page, with the links in the contents. */
function followOldAddress(): void {
  const id = location.hash.slice(1);
  if (location.pathname !== '/docs' || id === '' || document.getElementById(id)) return;
  const links = [...document.querySelectorAll<HTMLAnchorElement>('nav a')];
  const current = links.find(({ hash }) => hash === location.hash);
  if (current) location.replace(current.href);
}

/** Copies the text next to a button. Without a clipboard (on plain http), selects it for copying by hand. */
async function copyNext(button: HTMLElement, announce: (text: string) => void): Promise<void> {
  const text = button.parentElement?.querySelector('pre');
  if (!text) return;
  let words = 'Copied';
  try {
    await navigator.clipboard.writeText(text.textContent ?? '');
  } catch {
    window.getSelection()?.selectAllChildren(text);
    words = 'Selected: press Ctrl+C';
  }
  button.textContent = words;
  announce(words);
  setTimeout(() => {
    button.textContent = 'Copy';
    announce('');
  }, SHOWN_MS);
}

/** Shows the language in all samples and stores it for the next visit, without moving the page. */
function chooseLanguage(chosen: HTMLInputElement): void {
  const before = chosen.getBoundingClientRect().top;
  showLanguage(chosen.value);
  window.scrollBy({ top: chosen.getBoundingClientRect().top - before, behavior: 'instant' });
  try {
    localStorage.setItem(LANGUAGE_KEY, chosen.value);
  } catch {
    // Without storage, the choice applies until the page is closed.
  }
}

/** Selects the language in all samples that have it. */
function showLanguage(language: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[data-language]')) {
    if (input.value === language) input.checked = true;
  }
}

function readLanguage(): string | null {
  try {
    return localStorage.getItem(LANGUAGE_KEY);
  } catch {
    return null;
  }
}

/** Highlights the section at the top of the window in the contents. Returns a function to stop. */
function markCurrent(): () => void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('nav a[href*="#"]')].filter(
    ({ pathname }) => pathname === location.pathname,
  );
  const mark = (id: string) => {
    for (const link of links) {
      if (link.hash !== `#${id}`) link.removeAttribute('aria-current');
      else {
        link.setAttribute('aria-current', 'location');
        showInScroller(link);
      }
    }
  };
  const observer = new IntersectionObserver(
    (entries) => {
      const entered = entries.find(({ isIntersecting }) => isIntersecting);
      if (entered) mark(entered.target.id);
    },
    // A thin strip below the header, which contains one section at a time.
    { rootMargin: '-96px 0px -85% 0px' },
  );
  for (const section of document.querySelectorAll('[data-entry]')) observer.observe(section);
  return () => observer.disconnect();
}

/** Scrolls only the contents, until the link is visible. */
function showInScroller(link: HTMLElement): void {
  const scroller = link.closest<HTMLElement>('nav');
  if (!scroller) return;
  const [frame, place] = [scroller.getBoundingClientRect(), link.getBoundingClientRect()];
  if (place.top < frame.top) scroller.scrollTop -= frame.top - place.top + frame.height / 3;
  if (place.bottom > frame.bottom) scroller.scrollTop += place.bottom - frame.bottom + frame.height / 3;
}
