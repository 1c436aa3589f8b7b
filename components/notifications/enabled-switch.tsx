'use client';

import { startTransition, useActionState, useOptimistic } from 'react';

type Props = {
  name: string;
  enabled: boolean;
  setEnabled: (enabled: boolean) => Promise<string | null>;
};

/** Enables or disables an endpoint in its row, optimistically; shows an error if that fails. */
export function EnabledSwitch({ name, enabled, setEnabled }: Props) {
  const [isOn, setOn] = useOptimistic(enabled);
  const [problem, turn, isPending] = useActionState((_: string | null, to: boolean) => setEnabled(to), null);
  const toggle = () =>
    startTransition(() => {
      setOn(!isOn);
      turn(!isOn);
    });
  return (
    <span className="relative flex flex-col items-end gap-1">
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-label={`Send to ${name}`}
        aria-busy={isPending}
        onClick={toggle}
        className="touch-area flex h-6 w-10 items-center rounded-full border border-line-strong bg-sunken px-0.5 aria-checked:border-accent aria-checked:bg-accent"
      >
        <span
          className={`size-4.5 rounded-full transition-transform ${isOn ? 'translate-x-4 bg-accent-ink' : 'bg-line-strong'}`}
        />
      </button>
      <span role="alert" className="text-xs text-bad empty:sr-only">
        {problem}
      </span>
    </span>
  );
}
