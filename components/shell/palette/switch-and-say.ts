import { startTransition } from 'react';
import { say, sayProblem } from '@/components/ui/toast';
import type { FoundMonitor } from '@/lib/schemas/search';
import type { PaletteProps } from './palette-props';

/** Pauses or resumes a monitor, and says what came of it. */
export function switchAndSay(
  switchMonitor: PaletteProps['switchMonitor'],
  { id, name }: FoundMonitor,
  enabled: boolean,
): void {
  startTransition(async () => {
    const problem = await switchMonitor(id, enabled).catch(
      () => 'The service did not answer. Nothing was changed.',
    );
    if (problem !== null) sayProblem(problem);
    else say(`${enabled ? 'Resumed' : 'Paused'} ${name}`);
  });
}
