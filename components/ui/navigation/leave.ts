/** Asks before `resume` leaves the page. */
type Hold = (resume: () => void) => void;

let hold: Hold | null = null;

/** Has `ask` asked before a command leaves the page, until `signal` is aborted. */
export function holdBack(ask: Hold, signal: AbortSignal): void {
  hold = ask;
  signal.addEventListener('abort', () => {
    if (hold === ask) hold = null;
  });
}

/** Runs a command that leaves the page, after asking if something typed would be lost. */
export function leave(go: () => void): void {
  if (hold === null) go();
  else hold(go);
}
