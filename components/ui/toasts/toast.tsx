import { startTransition, useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { mountToaster } from './toasts';

const UNDO_MS = 6000;

/** Shown when an action got no response. */
export const UNREACHABLE = 'The service did not respond. Reload the page and try again.';

/** Confirms briefly that something was done. */
export function showToast(message: string): void {
  withToaster(() => toast(message));
}

/** Confirms that something was done and offers to undo it. */
export function showUndoToast(message: string, undo: () => void): void {
  withToaster(() => toast(message, { duration: UNDO_MS, action: { label: 'Undo', onClick: undo } }));
}

/** Reports an error. Stays longer than a confirmation. */
export function showError(message: string): void {
  withToaster(() => toast.error(message, { duration: 12_000 }));
}

/** How many there were: identifies their toasts. */
let deferred = 0;

type Deferred = {
  /** Past tense, as if already done: "Deleted Shop". */
  message: string;
  /** Returns an error message, or null on success. */
  act: () => Promise<string | null>;
  /** Restores the previous view, after an undo or when `act` failed. */
  restore: () => void;
};

/**
 * Confirms an action immediately and runs it a few seconds later, unless it is undone first. Leaving or hiding the page
 * runs it right away, so the confirmation always comes true.
 */
export function doUnlessUndone({ message, act, restore }: Deferred): void {
  deferred += 1;
  const id = `deferred-${deferred}`;
  const over = new AbortController();
  const { signal } = over;
  const end = () => {
    if (signal.aborted) return false;
    over.abort();
    clearTimeout(timer);
    toast.dismiss(id);
    return true;
  };
  const doNow = () => {
    if (!end()) return;
    startTransition(async () => {
      const problem = await act().catch(() => UNREACHABLE);
      if (problem === null) return;
      restore();
      showError(problem);
    });
  };
  const doWhenHidden = () => {
    if (document.visibilityState === 'hidden') doNow();
  };
  const action = { label: 'Undo', onClick: () => void (end() && restore()) };
  withToaster(() => {
    if (!signal.aborted) toast(message, { id, duration: Number.POSITIVE_INFINITY, action });
  });
  const timer = setTimeout(doNow, UNDO_MS);
  document.addEventListener('visibilitychange', doWhenHidden, { signal });
  window.addEventListener('pagehide', doNow, { signal });
}

let markReady: () => void;
const ready = new Promise<void>((resolve) => {
  markReady = resolve;
});

/** Calls `show` once there is a toaster: the library drops toasts that are created before. */
function withToaster(show: () => void): void {
  mountToaster(Toaster);
  void ready.then(show);
}

function Toaster() {
  useEffect(() => markReady(), []);
  return (
    <Sonner
      position="bottom-right"
      offset={{ bottom: 'calc(var(--bottom) + 1.5rem)' }}
      mobileOffset={{ bottom: 'calc(var(--bottom) + 1rem)' }}
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
