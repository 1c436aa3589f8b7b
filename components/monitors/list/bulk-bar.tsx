import { Pause, Play, Trash2, X } from 'lucide-react';
import { useTransition } from 'react';
import { useShortcuts } from '@/components/shell/shortcuts/use-shortcuts';
import { Button } from '@/components/ui/button';
import { doUnlessUndone, say, sayProblem, UNREACHABLE } from '@/components/ui/toast';
import type { MonitorOverview } from '@/lib/domain/monitors/list-overviews';
import { hideMonitors, showMonitors } from '../hidden-monitors';
import type { BulkActions } from './bulk-actions';
import { TagMenu } from './tag-menu';

type Props = {
  selected: readonly MonitorOverview[];
  /** How many the list shows. */
  shown: number;
  most: number;
  /** Every tag that is in use. */
  tags: readonly string[];
  actions: BulkActions;
  onSelectAll: () => void;
  onClear: () => void;
};

/** What can be done with the selected monitors, always in sight. */
export function BulkBar({ selected, shown, most, tags, actions, onSelectAll, onClear }: Props) {
  const [isBusy, startChange] = useTransition();
  const ids = selected.map(({ id }) => id);
  const count = sayCount(selected.length);
  useShortcuts({ escape: { label: 'Select nothing', run: onClear } });

  const run = (change: Promise<string | null>, done: string) =>
    startChange(async () => {
      const problem = await change.catch(() => UNREACHABLE);
      if (problem !== null) return sayProblem(problem);
      say(done);
      onClear();
    });
  const remove = () => {
    hideMonitors(ids);
    onClear();
    doUnlessUndone({
      message: `Deleted ${selected.length === 1 ? selected[0]?.name : count}`,
      act: () => actions.remove(ids),
      restore: () => showMonitors(ids),
    });
  };

  const isTooMany = selected.length > most;
  const isStill = isBusy || isTooMany;
  return (
    <section
      aria-label="Selected monitors"
      className="sticky bottom-4 z-30 flex max-w-full flex-wrap items-center gap-2 self-center rounded-lg border border-line-strong bg-surface p-2 pl-3 shadow-lg"
    >
      <p className="mr-1 font-medium tabular-nums" aria-live="polite">
        {selected.length} selected
        {isTooMany ? `, ${most} at most` : ''}
      </p>
      {selected.length < shown ? (
        <Button tone="bare" onClick={onSelectAll}>
          Select all {Math.min(shown, most)}
        </Button>
      ) : null}
      {selected.some(({ enabled }) => enabled) ? (
        <Button disabled={isStill} onClick={() => run(actions.setEnabled(ids, false), `Paused ${count}`)}>
          <Pause aria-hidden="true" />
          Pause
        </Button>
      ) : null}
      {selected.some(({ enabled }) => !enabled) ? (
        <Button disabled={isStill} onClick={() => run(actions.setEnabled(ids, true), `Resumed ${count}`)}>
          <Play aria-hidden="true" />
          Resume
        </Button>
      ) : null}
      <TagMenu
        selected={selected}
        tags={tags}
        isDisabled={isStill}
        onAdd={(tag) => run(actions.tag(ids, { add: [tag], remove: [] }), `Tagged ${count} “${tag}”`)}
        onRemove={(tag) => run(actions.tag(ids, { add: [], remove: [tag] }), `Took “${tag}” off ${count}`)}
      />
      <Button tone="danger" disabled={isStill} onClick={remove}>
        <Trash2 aria-hidden="true" />
        Delete
      </Button>
      <Button tone="bare" className="px-2" aria-label="Select nothing" onClick={onClear}>
        <X aria-hidden="true" />
      </Button>
    </section>
  );
}

function sayCount(count: number): string {
  return count === 1 ? '1 monitor' : `${count} monitors`;
}
