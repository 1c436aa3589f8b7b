import { startTransition } from 'react';
import { sayProblem, sayUndoable, UNREACHABLE } from '@/components/ui/toast';
import type { FoundMonitor } from '@/lib/schemas/search';
import type { PaletteProps } from './palette-props';

/** Pauses or resumes a monitor, and says what came of it, with a way back. */
export function switchAndSay(
  switchMonitor: PaletteProps['switchMonitor'],
  monitor: FoundMonitor,
  enabled: boolean,
): void {
  startTransition(async () => {
    const problem = await switchMonitor(monitor.id, enabled).catch(() => UNREACHABLE);
    if (problem !== null) return sayProblem(problem);
    sayUndoable(`${enabled ? 'Resumed' : 'Paused'} ${monitor.name}`, () =>
      switchAndSay(switchMonitor, monitor, !enabled),
    );
  });
}
