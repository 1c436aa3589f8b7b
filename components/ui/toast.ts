import { startTransition } from 'react';
import { toast } from 'sonner';

/** Long enough to see the mistake and reach the button, short enough to be done with. */
const UNDO_MS = 6000;
/** What is said where an action got no answer. */
export const UNREACHABLE = 'The service did not answer. Nothing was changed.';

/** Says what was done, in passing. */
export function say(message: string): void {
  toast(message);
}

/** Says what was done, and takes it back for who thinks better of it. */
export function sayUndoable(message: string, undo: () => void): void {
  toast(message, { duration: UNDO_MS, action: { label: 'Undo', onClick: undo } });
}

/** Says what went wrong. It stays longer than what went well. */
export function sayProblem(message: string): void {
  toast.error(message, { duration: 12_000 });
}

type Deferred = {
  /** What will have been done: "Deleted Shop". */
  message: string;
  /** Answers what went wrong, or null. */
  act: () => Promise<string | null>;
  /** Shows what there was before: after an undo, or when `act` did not succeed. */
  restore: () => void;
};

/**
 * Says that something was done and does it a moment later, unless it is undone until then. A page that is left or hidden
 * does it at once: what the screen said has to come true.
 */
export function doUnlessUndone({ message, act, restore }: Deferred): void {
  let isOver = false;
  const end = () => {
    if (isOver) return false;
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', doWhenHidden);
    window.removeEventListener('pagehide', doNow);
    toast.dismiss(id);
    return true;
  };
  const doNow = () => {
    if (!end()) return;
    startTransition(async () => {
      const problem = await act().catch(() => UNREACHABLE);
      if (problem === null) return;
      restore();
      sayProblem(problem);
    });
  };
  const doWhenHidden = () => {
    if (document.visibilityState === 'hidden') doNow();
  };
  const id = toast(message, {
    duration: Number.POSITIVE_INFINITY,
    action: { label: 'Undo', onClick: () => void (end() && restore()) },
  });
  const timer = setTimeout(doNow, UNDO_MS);
  document.addEventListener('visibilitychange', doWhenHidden);
  window.addEventListener('pagehide', doNow);
}
