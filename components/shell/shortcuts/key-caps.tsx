const NAMES: Record<string, string> = {
  enter: 'Enter',
  escape: 'Esc',
  space: 'Space',
  shift: 'Shift',
  arrowup: '↑',
  arrowdown: '↓',
};

/**
 * A shortcut as key caps: `g m` as G M, `mod+k` as ⌘ K or Ctrl K. Must be rendered in the browser only. Apart from the
 * list of shortcuts, which is loaded when it is first opened.
 */
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
