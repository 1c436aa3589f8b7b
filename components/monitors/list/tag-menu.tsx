import { Tag, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import type { MonitorOverview } from '@/lib/domain/monitors/list-overviews';

/** The longest tag that the service takes. */
const LONGEST = 50;

type Props = {
  selected: readonly MonitorOverview[];
  /** Every tag that is in use, to choose from. */
  tags: readonly string[];
  isDisabled: boolean;
  onAdd: (tag: string) => void;
  onRemove: (tag: string) => void;
};

/** Puts a tag on the selected monitors, or takes one off that some of them have. */
export function TagMenu({ selected, tags, isDisabled, onAdd, onRemove }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const own = tags
    .map((tag) => ({ tag, n: selected.filter((monitor) => monitor.tags.includes(tag)).length }))
    .filter(({ n }) => n > 0);
  const finish = (change: (tag: string) => void, tag: string) => {
    setOpen(false);
    setTyped('');
    change(tag);
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button disabled={isDisabled}>
          <Tag aria-hidden="true" />
          Tags
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label="Tags of the selected monitors"
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
              maxLength={LONGEST}
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
          {own.length > 0 ? (
            <ul className="flex max-h-48 flex-col overflow-y-auto border-t border-line pt-2">
              {own.map(({ tag, n }) => (
                <li key={tag} className="flex h-8 items-center gap-2">
                  <span className="min-w-0 flex-1 truncate">{tag}</span>
                  <span className="text-xs text-muted tabular-nums">
                    {n} of {selected.length}
                  </span>
                  <Button
                    tone="bare"
                    className="h-7 px-1.5"
                    aria-label={`Take “${tag}” off`}
                    onClick={() => finish(onRemove, tag)}
                  >
                    <X aria-hidden="true" />
                  </Button>
                </li>
              ))}
            </ul>
          ) : null}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
