import type { Page } from '@playwright/test';

/** Observes from the next navigation on what moves on the page without anybody having clicked or typed. */
export async function observeShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null }[];
    };
    const shifts: string[] = [];
    Object.assign(window, { layoutShift: 0, layoutShifts: shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        if (entry.hadRecentInput) continue;
        const state = window as unknown as { layoutShift: number };
        state.layoutShift += entry.value;
        const moved = entry.sources.map(({ node }) =>
          node instanceof Element ? node.outerHTML.slice(0, 120) : node?.nodeName,
        );
        shifts.push(`${entry.value.toFixed(4)}: ${moved.join(' | ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The cumulative layout shift of the page so far, and what moved. */
export async function readShifts(page: Page): Promise<{ sum: number; moved: string[] }> {
  return page.evaluate(() => {
    const { layoutShift: sum, layoutShifts: moved } = window as unknown as {
      layoutShift: number;
      layoutShifts: string[];
    };
    return { sum, moved };
  });
}
