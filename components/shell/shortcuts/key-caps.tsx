const NAMES: Record<string, string> = {
  enter: 'Enter',
  escape: 'Esc',
  space: 'Space',
  shift: 'Shift',
  arrowup: '↑',
  arrowdown: '↓',
};

/** A key as it is printed: `g m` as G then M, `mod+k` as ⌘K or Ctrl K. Only for what is drawn in the browser. */
export function KeyCaps({ stroke }: { stroke: string }) {
  return (
    <span className="flex shrink-0 items-center gap-1">
      {stroke.split(/[ +](?=.)/).map((key) => (
        <kbd
          key={key}
          className="flex h-5 min-w-5 items-center justify-center rounded border border-line bg-sunken px-1 font-mono text-xs text-muted"
        >
          {key === 'mod' ? modifierName() : (NAMES[key] ?? key.toUpperCase())}
        </kbd>
      ))}
    </span>
  );
}

function modifierName(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
}
