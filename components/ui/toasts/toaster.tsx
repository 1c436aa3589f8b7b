import { useEffect } from 'react';
import { Toaster as Sonner } from 'sonner';
import { mountToaster } from './toasts';

let markReady: () => void;
const ready = new Promise<void>((resolve) => {
  markReady = resolve;
});

/** Calls `show` once there is a toaster: the library drops toasts that are created before. */
export function withToaster(show: () => void): void {
  mountToaster(Toaster);
  void ready.then(show);
}

function Toaster() {
  useEffect(() => markReady(), []);
  return (
    <Sonner
      position="bottom-right"
      theme="system"
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-center gap-3 rounded-lg border border-line bg-surface px-4 py-3 font-sans text-sm text-ink shadow-lg',
          title: 'font-normal',
          actionButton: 'ml-auto shrink-0 rounded-md px-2 py-1 font-medium text-accent hover:bg-sunken',
          error: 'border-bad/40 text-bad',
        },
      }}
    />
  );
}
