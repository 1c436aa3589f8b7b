'use client';

import { Toaster } from 'sonner';

/** Where toasts appear: once, in the layout, so they survive navigation. */
export function Toasts() {
  return (
    <Toaster
      position="bottom-right"
      theme="system"
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-center gap-3 rounded-lg border border-line bg-surface px-4 py-3 text-sm text-ink shadow-lg',
          title: 'font-normal',
          actionButton: 'ml-auto shrink-0 rounded-md px-2 py-1 font-medium text-accent hover:bg-sunken',
          error: 'border-bad/40 text-bad',
        },
      }}
    />
  );
}
