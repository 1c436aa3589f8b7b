'use client';

import type { ReactNode } from 'react';
import { ShownOnce } from '@/components/ui/shown-once';

type Props = { codes: readonly string[]; children?: ReactNode };

/** New recovery codes: the only time they are shown. */
export function RecoveryCodes({ codes, children }: Props) {
  return (
    <ShownOnce
      title="Your recovery codes"
      level="h2"
      text={codes.join('\n')}
      copyLabel="Copy the recovery codes"
      note="Store them somewhere safe, away from your phone. You won’t be able to see them again. Each code works once in place of your second factor."
    >
      {children}
    </ShownOnce>
  );
}
