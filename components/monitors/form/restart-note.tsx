import { Banner } from '@/components/ui/banner';
import { RESETTING_FIELDS } from '@/lib/schemas/monitor/fields';
import { changedInput, readMonitorInput, type Typed } from './monitor-input';

/** Says before it happens that a change makes the monitor begin again. */
export function RestartNote({ typed, opened }: { typed: Typed; opened: Typed }) {
  const changed = changedInput(readMonitorInput(opened), readMonitorInput(typed));
  if (!RESETTING_FIELDS.some((field) => field in changed)) return null;
  return (
    <Banner tone="note">
      This asks something else than before: the monitor starts again at pending, and its checks so far count
      no more.
    </Banner>
  );
}
