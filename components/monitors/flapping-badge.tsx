import { Activity } from 'lucide-react';
import { IconLabel, type LabelLook } from '@/components/ui/icon-label';

/** Next to the status of a monitor that changes too often for people to be notified of each change. */
export function FlappingBadge(look: LabelLook) {
  return <IconLabel label="Flapping" Icon={Activity} color="text-slow" {...look} />;
}
