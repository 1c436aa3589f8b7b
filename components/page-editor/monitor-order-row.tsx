import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ChevronDown, ChevronUp, GripVertical, X } from 'lucide-react';
import { cn } from '@/components/ui/cn';

export type Move = 'up' | 'down';

type Props = {
  id: string;
  name: string;
  isFirst: boolean;
  isLast: boolean;
  step: (id: string, move: Move) => void;
  remove: (id: string) => void;
};

const BUTTON =
  'flex size-8 shrink-0 items-center justify-center rounded text-muted hover:bg-sunken hover:text-ink aria-disabled:cursor-default aria-disabled:opacity-40 aria-disabled:hover:bg-transparent';

/** Where the focus is to be found again after a move. */
export function moveButtonId(id: string, button: Move | 'remove'): string {
  return `${button}-${id}`;
}

/** A monitor of the page with what puts it elsewhere. */
export function MonitorOrderRow({ id, name, isFirst, isLast, step, remove }: Props) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id, attributes: { roleDescription: 'sortable' } });
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={cn(
        'flex items-center gap-1 border-b border-line bg-surface p-1 first:rounded-t-md last:rounded-b-md last:border-0',
        isDragging && 'relative z-10 rounded-md border-transparent shadow-lg ring-1 ring-line-strong',
      )}
    >
      <input type="hidden" name="monitors" value={id} />
      <button
        type="button"
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        aria-label={`Move ${name}`}
        className={cn(BUTTON, 'touch-none cursor-grab active:cursor-grabbing')}
      >
        <GripVertical className="size-4" aria-hidden="true" />
      </button>
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {(['up', 'down'] as const).map((move) => {
        const Icon = move === 'up' ? ChevronUp : ChevronDown;
        return (
          <button
            key={move}
            type="button"
            id={moveButtonId(id, move)}
            aria-label={`Move ${name} ${move}`}
            // Not `disabled`, which would take the focus away at the end of the list.
            aria-disabled={move === 'up' ? isFirst : isLast}
            onClick={() => step(id, move)}
            className={BUTTON}
          >
            <Icon className="size-4" aria-hidden="true" />
          </button>
        );
      })}
      <button
        type="button"
        id={moveButtonId(id, 'remove')}
        aria-label={`Remove ${name}`}
        onClick={() => remove(id)}
        className={BUTTON}
      >
        <X className="size-4" aria-hidden="true" />
      </button>
    </li>
  );
}
