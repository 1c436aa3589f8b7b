import type { Page } from '@playwright/test';

/** The height in CSS pixels that a finger hits: WCAG 2.5.5, and what iOS and Android ask for. */
const TOUCH_PX = 44;

/** Longer values may be cut: fields scroll. */
const SHOWN_TEXT_PX = 128;

/**
 * What is wrong with the controls that the window shows: one that is clipped, covered or outside, or narrower than its text; with
 * `isTouch` also one that is lower than a finger needs. Measured by hits, as a finger does, so that the label of a checkbox counts and a
 * link that covers its row. Links within a sentence are excepted, as in WCAG 2.5.8, and the days of a strip, which are listed below it.
 */
export async function findBadControls(page: Page, { isTouch }: { isTouch: boolean }): Promise<string[]> {
  const limits = { touchPx: isTouch ? TOUCH_PX : 0, shownTextPx: SHOWN_TEXT_PX };
  return page.evaluate(measure, limits);
}

/** Runs in the page. */
function measure({ touchPx, shownTextPx }: { touchPx: number; shownTextPx: number }): string[] {
  const CONTROLS =
    'a[href], button, input:not([type=hidden], .bars input), select, textarea, summary, [role=button], [role=tab], [role=option], [role^=menuitem]';
  const canvas = document.createElement('canvas').getContext('2d');

  const isField = (element: Element) =>
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement;

  /** What is hit instead of the control itself, such as the label of a checkbox whose box is hidden. */
  const shownPart = (element: Element) => {
    const { width, height, right } = element.getBoundingClientRect();
    const { clipPath, position } = getComputedStyle(element);
    // Such as a link to the content, which shows when it has the focus.
    const isAway = clipPath !== 'none' || (position === 'absolute' && right < 0);
    const isHidden = width <= 1 || height <= 1 || isAway;
    return isHidden ? (isField(element) ? (element.labels?.[0] ?? null) : null) : element;
  };
  const hits = (element: Element, x: number, y: number) => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (element.contains(hit) || hit.closest('label')?.control === element);
  };
  const isInSentence = (element: Element) => {
    if (getComputedStyle(element).display !== 'inline') return false;
    let block = element.parentElement;
    while (block && getComputedStyle(block).display.startsWith('inline')) block = block.parentElement;
    const rest = block?.cloneNode(true);
    if (!(rest instanceof Element)) return false;
    for (const control of rest.querySelectorAll(CONTROLS)) control.remove();
    return /\p{L}{2}/u.test(rest.textContent);
  };
  const textWidth = (element: Element) => {
    const text =
      element instanceof HTMLSelectElement
        ? (element.selectedOptions[0]?.text ?? '')
        : element instanceof HTMLInputElement && !['checkbox', 'radio', 'color'].includes(element.type)
          ? element.value || element.placeholder
          : '';
    if (canvas === null) return 0;
    canvas.font = getComputedStyle(element).font;
    return Math.min(canvas.measureText(text).width, shownTextPx);
  };
  const innerWidth = (element: Element) => {
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  };
  const isNarrow = (element: Element, part: Element) => {
    if (isField(element)) return innerWidth(element) < textWidth(element) - 1;
    const { display, textOverflow } = getComputedStyle(part);
    // Names of any length may end with an ellipsis.
    if (display === 'inline' || textOverflow === 'ellipsis') return false;
    return part.scrollWidth > part.clientWidth + 1;
  };
  const hitHeight = (element: Element, x: number, y: number) => {
    let [top, bottom] = [0, 0];
    while (top < touchPx && hits(element, x, y - top - 1)) top += 1;
    while (bottom < touchPx && hits(element, x, y + bottom + 1)) bottom += 1;
    return top + bottom + 1;
  };
  const judge = (element: Element, part: Element): string | null => {
    const [line] = part.getClientRects();
    if (!line) return null;
    const [x, y] = [line.left + line.width / 2, line.top + line.height / 2];
    if (line.left < -0.5 || line.right > window.innerWidth + 0.5) return 'is outside the window';
    if (!hits(element, x, y)) return 'is clipped or covered';
    if (isNarrow(element, part)) return `is ${Math.round(line.width)} px wide, less than its text`;
    const height = hitHeight(element, x, y);
    // Edges are at fractions of a pixel.
    if (height < touchPx - 1 && !isInSentence(element)) return `is ${height} px high to a finger`;
    return null;
  };

  const found: string[] = [];
  for (const element of document.querySelectorAll(CONTROLS)) {
    const part = shownPart(element);
    if (part === null || !part.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    part.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const fault = judge(element, part);
    const name = (element.getAttribute('aria-label') || element.textContent || element.id)
      .trim()
      .replace(/\s+/g, ' ')
      .slice(0, 40);
    if (fault !== null) found.push(`${element.localName} “${name}” ${fault}`);
  }
  window.scrollTo(0, 0);
  return [...new Set(found)];
}
