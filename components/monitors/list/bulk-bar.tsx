import { Pause, Play, Tag, Trash2, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState, useTransition } from 'react';
import { useShortcuts } from '@/components/shell/shortcuts/use-shortcuts';
import { Button } from '@/components/ui/button';
import { doUnlessUndone, showError, showToast, UNREACHABLE } from '@/components/ui/toasts/toast';
import { SLOW_TO_ALERT } from '@/lib/checks/alert-delay';
import type { MonitorOverview } from '@/lib/domain/monitors/lists/list-overviews';
import { hideMonitors, showMonitors } from '../hidden-monitors';

const MAX_TAG_LENGTH = 50;

/** Server actions on the selected monitors. They return an error message, or null. */
export type BulkActions = {
  setEnabled: (ids: string[], enabled: boolean) => Promise<string | null>;
  /** Repeats their checks sooner after a first failure. */
  confirm: (ids: string[]) => Promise<string | null>;
  tag: (ids: string[], change: { add: string[]; remove: string[] }) => Promise<string | null>;
  remove: (ids: string[]) => Promise<string | null>;
};

type Props = {
  selected: readonly MonitorOverview[];
  /** How many monitors the list shows. */
  shown: number;
  max: number;
  /** Every tag in use. */
  tags: readonly string[];
  actions: BulkActions;
  onSelectAll: () => void;
  onClear: () => void;
};

/** Actions on the selected monitors, always in view. */
export function BulkBar({ selected, shown, max, tags, actions, onSelectAll, onClear }: Props) {
  const [isBusy, startChange] = useTransition();
  const ids = selected.map(({ id }) => id);
  const count = formatCount(selected.length);
  useShortcuts({ escape: { label: 'Clear selection', run: onClear } });

  const run = (change: Promise<string | null>, done: string) =>
    startChange(async () => {
      const problem = await change.catch(() => UNREACHABLE);
      if (problem !== null) return showError(problem);
      showToast(done);
      onClear();
    });
  const setEnabled = (enabled: boolean) =>
    run(actions.setEnabled(ids, enabled), `${enabled ? 'Resumed' : 'Paused'} ${count}`);
  const remove = () => {
    hideMonitors(ids);
    onClear();
    doUnlessUndone({
      message: `Deleted ${selected.length === 1 ? selected[0]?.name : count}`,
      act: () => actions.remove(ids),
      restore: () => showMonitors(ids),
    });
  };

  const isTooMany = selected.length > max;
  const isDisabled = isBusy || isTooMany;
  return (
    <section
      aria-label="Selected monitors"
      className="sticky bottom-[calc(var(--bottom)+1rem)] z-30 flex max-w-full flex-wrap items-center gap-2 self-center rounded-lg border border-line-strong bg-surface p-2 pl-3 shadow-lg"
    >
      <p className="mr-1 font-medium tabular-nums" aria-live="polite">
        {selected.length} selected
        {isTooMany ? ` (maximum ${max})` : ''}
      </p>
      {selected.length < shown ? (
        <Button tone="bare" onClick={onSelectAll}>
          Select all {Math.min(shown, max)}
        </Button>
      ) : null}
      <EnabledButtons selected={selected} isDisabled={isDisabled} onSet={setEnabled} />
      {selected.some(({ alertsAfter }) => alertsAfter > SLOW_TO_ALERT) ? (
        <Button
          disabled={isDisabled}
          onClick={() => run(actions.confirm(ids), `Outages are now confirmed every 10 seconds: ${count}`)}
        >
          Alert sooner
        </Button>
      ) : null}
      <TagMenu
        selected={selected}
        tags={tags}
        isDisabled={isDisabled}
        onAdd={(tag) => run(actions.tag(ids, { add: [tag], remove: [] }), `Added “${tag}” to ${count}`)}
        onRemove={(tag) =>
          run(actions.tag(ids, { add: [], remove: [tag] }), `Removed “${tag}” from ${count}`)
        }
      />
      <Button tone="danger" icon={<Trash2 />} disabled={isDisabled} onClick={remove}>
        Delete
      </Button>
      <Button tone="bare" icon={<X />} size="icon" aria-label="Clear selection" onClick={onClear} />
    </section>
  );
}

function formatCount(count: number): string {
  return count === 1 ? '1 monitor' : `${count} monitors`;
}

type EnabledButtonsProps = Pick<Props, 'selected'> & {
  isDisabled: boolean;
  onSet: (enabled: boolean) => void;
};

/** Pauses the selected monitors if one is enabled, and resumes them if one is paused. */
function EnabledButtons({ selected, isDisabled, onSet }: EnabledButtonsProps) {
  return (
    <>
      {selected.some(({ enabled }) => enabled) ? (
        <Button icon={<Pause />} disabled={isDisabled} onClick={() => onSet(false)}>
          Pause
        </Button>
      ) : null}
      {selected.some(({ enabled }) => !enabled) ? (
        <Button icon={<Play />} disabled={isDisabled} onClick={() => onSet(true)}>
          Resume
        </Button>
      ) : null}
    </>
  );
}

type TagMenuProps = Pick<Props, 'selected' | 'tags'> & {
  isDisabled: boolean;
  onAdd: (tag: string) => void;
  onRemove: (tag: string) => void;
};

/** Adds a tag to the selected monitors, or removes one that some of them have. */
function TagMenu({ selected, tags, isDisabled, onAdd, onRemove }: TagMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const finish = (change: (tag: string) => void, tag: string) => {
    setOpen(false);
    setTyped('');
    change(tag);
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button icon={<Tag />} disabled={isDisabled}>
          Tags
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label="Tags on selected monitors"
          side="top"
          sideOffset={8}
          collisionPadding={8}
          className="z-50 flex w-72 flex-col gap-3 rounded-lg border border-line bg-surface p-3 shadow-lg"
        >
          <form
            className="flex gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              if (typed.trim() !== '') finish(onAdd, typed.trim());
            }}
          >
            <input
              aria-label="Tag to add"
              placeholder="Add a tag"
              list="known-tags"
              maxLength={MAX_TAG_LENGTH}
              autoComplete="off"
              autoCapitalize="none"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-2.5 text-base placeholder:text-muted sm:text-sm"
            />
            <datalist id="known-tags">
              {tags.map((tag) => (
                <option key={tag} value={tag} />
              ))}
            </datalist>
            <Button type="submit" disabled={typed.trim() === ''}>
              Add
            </Button>
          </form>
          <OwnTags selected={selected} tags={tags} onRemove={(tag) => finish(onRemove, tag)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The tags of the selected monitors, each of which can be removed. */
function OwnTags({ selected, tags, onRemove }: Pick<TagMenuProps, 'selected' | 'tags' | 'onRemove'>) {
  const own = tags
    .map((tag) => ({ tag, n: selected.filter((monitor) => monitor.tags.includes(tag)).length }))
    .filter(({ n }) => n > 0);
  if (own.length === 0) return null;
  return (
    <ul className="flex max-h-48 flex-col overflow-y-auto border-t border-line pt-2">
      {own.map(({ tag, n }) => (
        <li key={tag} className="flex h-8 items-center gap-2">
          <span className="min-w-0 flex-1 truncate">{tag}</span>
          <span className="text-xs text-muted tabular-nums">
            {n} of {selected.length}
          </span>
          <Button
            tone="bare"
            icon={<X />}
            size="icon"
            aria-label={`Remove “${tag}”`}
            onClick={() => onRemove(tag)}
          />
        </li>
      ))}
    </ul>
  );
}
