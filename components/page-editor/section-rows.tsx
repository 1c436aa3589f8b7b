import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { FieldNotes, INPUT } from '@/components/ui/forms/field';
import { DragHandle, ICON_BUTTON, type Move, OrderButtons, useOrderItem } from './order-parts';
import type { EditedRow, EditedSection } from './section-values';

/** ID of the input for the name of a row or section. */
export function nameInputId(key: string): string {
  return `name-${key}`;
}

type Common = {
  /** What it is called on the page. */
  label: string;
  isFirst: boolean;
  isLast: boolean;
  error?: string;
  step: (key: string, direction: Move) => void;
  remove: (key: string) => void;
};

const ITEM = 'border-b border-line first:rounded-t-md last:rounded-b-md last:border-0';

type HeadProps = Common & { section: EditedSection; change: (changes: Partial<EditedSection>) => void };

/** The heading of a section in the list: its name, description, and whether it is folded while all is well. */
export function SectionHead({ section, label, error, change, ...rest }: HeadProps) {
  const { key, name, description, collapsed } = section;
  const { handle, item, dragged } = useOrderItem(key);
  return (
    <li {...item} className={cn(ITEM, 'flex flex-col gap-1.5 bg-sunken p-1 pb-2', dragged)}>
      <div className="flex items-center gap-1">
        <DragHandle name={label} handle={handle} />
        <TextInput
          id={nameInputId(key)}
          label="Section name"
          value={name}
          max={100}
          isWrong={error !== undefined}
          change={(typed) => change({ name: typed })}
          className="font-medium"
        />
        <OrderButtons id={key} name={label} {...rest} />
      </div>
      <div className="flex flex-col gap-1.5 pr-1 pl-9">
        <TextInput
          id={`description-${key}`}
          label={`Description of ${label}`}
          placeholder="Description"
          value={description}
          max={500}
          change={(typed) => change({ description: typed })}
        />
        <label className="flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={collapsed}
            onChange={(event) => change({ collapsed: event.target.checked })}
            className="size-4 shrink-0 accent-accent"
          />
          Folded while all of it is operational
        </label>
        <FieldNotes name={nameInputId(key)} label="Name" error={error} />
      </div>
    </li>
  );
}

type RowProps = Common & {
  row: EditedRow;
  /** Null for a component. */
  monitorName: string | null;
  change: (changes: Partial<EditedRow>) => void;
};

/** A row in the list. Its public name and description unfold; those of a component without a name are open. */
export function SectionRow({ row, label, monitorName, error, change, ...rest }: RowProps) {
  const { key, name, description } = row;
  const { handle, item, dragged } = useOrderItem(key);
  const [isOpen, setOpen] = useState(monitorName === null && name === '');
  const isShown = isOpen || error !== undefined;
  const ownName = monitorName === null ? 'component' : monitorName;
  return (
    <li {...item} className={cn(ITEM, 'bg-surface p-1', dragged)}>
      <div className="flex items-center gap-1">
        <DragHandle name={label} handle={handle} />
        <span className="min-w-0 flex-1 truncate">
          {label}
          {label === ownName ? null : <span className="ml-2 text-xs text-muted">{ownName}</span>}
        </span>
        <button
          type="button"
          aria-label={`Edit ${label}`}
          aria-expanded={isShown}
          onClick={() => setOpen(!isShown)}
          className={ICON_BUTTON}
        >
          <Pencil className="size-3.5" aria-hidden="true" />
        </button>
        <OrderButtons id={key} name={label} {...rest} />
      </div>
      {isShown ? (
        <div className="flex flex-col gap-1.5 py-1 pr-1 pl-9">
          <TextInput
            id={nameInputId(key)}
            label="Public name"
            placeholder={monitorName ?? 'Name'}
            value={name}
            max={100}
            isWrong={error !== undefined}
            change={(typed) => change({ name: typed })}
          />
          <TextInput
            id={`description-${key}`}
            label={`Description of ${label}`}
            placeholder="Description"
            value={description}
            max={500}
            change={(typed) => change({ description: typed })}
          />
          <FieldNotes name={nameInputId(key)} label="Name" error={error} />
        </div>
      ) : null}
    </li>
  );
}

type InputProps = {
  id: string;
  label: string;
  value: string;
  max: number;
  placeholder?: string;
  isWrong?: boolean;
  className?: string;
  change: (typed: string) => void;
};

function TextInput({ id, label, value, max, placeholder = label, isWrong, className, change }: InputProps) {
  return (
    <input
      id={id}
      aria-label={label}
      aria-invalid={isWrong || undefined}
      aria-describedby={isWrong ? `${id}-error` : undefined}
      placeholder={placeholder}
      value={value}
      maxLength={max}
      onChange={(event) => change(event.target.value)}
      className={cn(INPUT, 'h-8', className)}
    />
  );
}
