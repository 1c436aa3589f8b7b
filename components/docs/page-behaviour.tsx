'use client';

import { useEffect, useRef } from 'react';

const LANGUAGE_KEY = 'docs-language';
const SAID_MS = 2000;

/** What the page does beyond reading: copy, one language for all samples, and where one is in the contents. */
export function PageBehaviour() {
  const status = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const onClick = ({ target }: Event) => {
      if (!(target instanceof Element)) return;
      const button = target.closest<HTMLElement>('[data-copy]');
      if (button) void copyBeside(button, (words) => status.current?.replaceChildren(words));
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
    const kept = readLanguage();
    if (kept !== null) {
      showLanguage(kept);
      // Samples of other lengths move what the address leads to.
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
    }
    const stopWatching = markCurrent();
    return () => {
      stop.abort();
      stopWatching();
    };
  }, []);

  return <p ref={status} role="status" className="sr-only" />;
}

/** Addresses of the time when the reference was one page: the contents know where each section is now. */
function followOldAddress(): void {
  const id = location.hash.slice(1);
  if (location.pathname !== '/docs' || id === '' || document.getElementById(id)) return;
  const links = [...document.querySelectorAll<HTMLAnchorElement>('nav a')];
  const now = links.find(({ hash }) => hash === location.hash);
  if (now) location.replace(now.href);
}

/** Copies the text beside a button. Without a clipboard (a plain http address) it is marked, to be copied by hand. */
async function copyBeside(button: HTMLElement, say: (words: string) => void): Promise<void> {
  const text = button.parentElement?.querySelector('pre');
  if (!text) return;
  let words = 'Copied';
  try {
    await navigator.clipboard.writeText(text.textContent ?? '');
  } catch {
    window.getSelection()?.selectAllChildren(text);
    words = 'Marked: press Ctrl+C';
  }
  button.textContent = words;
  say(words);
  setTimeout(() => {
    button.textContent = 'Copy';
    say('');
  }, SAID_MS);
}

/** Shows the language in all samples and keeps it for the next visit; what is being read stays where it is. */
function chooseLanguage(chosen: HTMLInputElement): void {
  const before = chosen.getBoundingClientRect().top;
  showLanguage(chosen.value);
  window.scrollBy({ top: chosen.getBoundingClientRect().top - before, behavior: 'instant' });
  try {
    localStorage.setItem(LANGUAGE_KEY, chosen.value);
  } catch {
    // A browser that keeps nothing: the choice lasts as long as the page.
  }
}

/** Shows the language in all samples that have it. */
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

/** Marks, in the contents, the section at the top of the window. Returns how to stop. */
function markCurrent(): () => void {
  const links = new Map<string, HTMLElement[]>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a[href*="#"]')) {
    if (link.pathname !== location.pathname) continue;
    const id = link.hash.slice(1);
    links.set(id, [...(links.get(id) ?? []), link]);
  }
  const mark = (id: string) => {
    for (const [each, ofSection] of links) {
      for (const link of ofSection) {
        if (each !== id) link.removeAttribute('aria-current');
        else {
          link.setAttribute('aria-current', 'location');
          showInScroller(link);
        }
      }
    }
  };
  const observer = new IntersectionObserver(
    (entries) => {
      const entered = entries.find(({ isIntersecting }) => isIntersecting);
      if (entered) mark(entered.target.id);
    },
    // A thin line below the header: one section at a time is there.
    { rootMargin: '-96px 0px -85% 0px' },
  );
  for (const section of document.querySelectorAll('[data-entry]')) observer.observe(section);
  return () => observer.disconnect();
}

/** Scrolls the contents, and nothing else, so far that the link is in sight. */
function showInScroller(link: HTMLElement): void {
  const scroller = link.closest<HTMLElement>('nav');
  if (!scroller) return;
  const [frame, place] = [scroller.getBoundingClientRect(), link.getBoundingClientRect()];
  if (place.top < frame.top) scroller.scrollTop -= frame.top - place.top + frame.height / 3;
  if (place.bottom > frame.bottom) scroller.scrollTop += place.bottom - frame.bottom + frame.height / 3;
}
