import { type Page, test } from '@playwright/test';
import { expectAccessible } from './page-checks';

/** Whether this is `npm run test:thorough`, which takes every path and looks at every state of a page in both color schemes. */
const isThorough = () => test.info().config.metadata.isThorough === true;

/** The tag of a test that only the thorough run has: a variant of one in the same file. */
export const THOROUGH = { tag: '@thorough' };

/** A step that only the thorough run takes. Those after it must not depend on it. */
export async function thoroughStep(title: string, body: () => Promise<void>): Promise<void> {
  if (isThorough()) await test.step(title, body);
}

/** `expectAccessible`, in the thorough run only: the analysis takes longer than everything else that a test does on a page. */
export async function expectAccessibleIfThorough(page: Page, part?: string): Promise<void> {
  if (isThorough()) await expectAccessible(page, part);
}
