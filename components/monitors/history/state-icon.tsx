import {
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CirclePause,
  CircleX,
  TriangleAlert,
  Wrench,
} from 'lucide-react';
import type { Transition } from '@/lib/schemas/transition';

const LOOKS = {
  operational: { Icon: CircleCheck, colour: 'text-good' },
  degraded: { Icon: TriangleAlert, colour: 'text-slow' },
  down: { Icon: CircleX, colour: 'text-bad' },
  pending: { Icon: CircleDashed, colour: 'text-muted' },
  maintenance: { Icon: Wrench, colour: 'text-accent' },
  paused: { Icon: CirclePause, colour: 'text-muted' },
  unknown: { Icon: CircleHelp, colour: 'text-muted' },
} as const;

/** The icon of a state of the ledger, beside its word. */
export function StateIcon({ state, className }: { state: Transition['to']; className: string }) {
  const { Icon, colour } = LOOKS[state];
  return <Icon className={`size-4 shrink-0 ${colour} ${className}`} aria-hidden="true" />;
}
