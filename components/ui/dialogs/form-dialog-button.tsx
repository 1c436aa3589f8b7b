'use client';

import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react';
import { Button } from '../button';
import type { TitledDialogProps } from './titled-dialog';

const load = () => import('./titled-dialog').then(({ TitledDialog }) => ({ default: TitledDialog }));
const Dialog = lazy(load);

type Props = Omit<ComponentProps<typeof Button>, 'title' | 'onClick' | 'children'> &
  Pick<TitledDialogProps, 'title'> & {
    text: string;
    /** The form, new each time; it calls `close` when it is done, and `keep` when it shows what must not be lost by a click. */
    children: (dialog: { close: () => void; keep: () => void }) => ReactNode;
  };

/** A button that opens a form over the page, which is loaded when it is first needed. */
export function FormDialogButton({ text, title, children, ...look }: Props) {
  const [state, setState] = useState<'closed' | 'open' | 'kept'>('closed');
  return (
    <>
      <Button
        {...look}
        aria-haspopup="dialog"
        onPointerEnter={load}
        onFocus={load}
        onClick={() => setState('open')}
      >
        {text}
      </Button>
      {state === 'closed' ? null : (
        <Suspense fallback={null}>
          <Dialog title={title} isKept={state === 'kept'} onClose={() => setState('closed')}>
            {children({ close: () => setState('closed'), keep: () => setState('kept') })}
          </Dialog>
        </Suspense>
      )}
    </>
  );
}
