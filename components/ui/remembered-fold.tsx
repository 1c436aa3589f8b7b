'use client';

import type { ComponentProps } from 'react';
import { Fold } from './fold';
import { CLOSED, OPEN } from './remembered-state';

const YEAR_SECONDS = 31_536_000;

type Props = Omit<ComponentProps<typeof Fold>, 'onToggle'> & {
  /** The name of the cookie. */
  cookie: string;
};

/** A fold that stays as this browser left it: in a cookie, so that the page is sent that way and does not move. */
export function RememberedFold({ cookie, ...fold }: Props) {
  return (
    <Fold
      {...fold}
      onToggle={({ currentTarget: { open } }) => {
        const value = open ? OPEN : CLOSED;
        // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
        document.cookie = `${cookie}=${value}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
      }}
    />
  );
}
