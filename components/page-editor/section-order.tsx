'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { FieldNotes, SelectField } from '@/components/ui/forms/field';
import type { MonitorName } from '@/lib/domain/monitors/dependencies/read-references';
import { AddMonitors, SEARCH_ID } from './add-monitors';
import { buttonId, type Move, useRefocus } from './order-parts';
import { OrderedList } from './ordered-list';
import { nameInputId, SectionHead, SectionRow } from './section-rows';
import {
  changeRow,
  type EditedRow,
  type EditedSection,
  keysOf,
  monitorsInOrder,
  moveTo,
  newComponent,
  newSection,
  removeRow,
  removeSection,
  rowOf,
  sentSections,
  step,
} from './section-values';

type Props = {
  monitors: readonly MonitorName[];
  sections: readonly EditedSection[];
  errors: Record<string, string>;
  change: (sections: readonly EditedSection[]) => void;
};

/** The sections of a page with their rows, in one list: reorder by drag and drop, by keyboard, or with buttons, also between sections. */
export function SectionOrder(props: Props) {
  const { monitors, sections, errors, change } = props;
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  const placed = new Set(monitorsInOrder(sections));
  const order = useOrder(props, names);
  const { nameOf, announcement, stepBy, remove, addMonitors } = order;

  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">
        Sections{' '}
        <span className="font-normal text-muted tabular-nums">
          {placed.size} of {monitors.length} monitors
        </span>
      </legend>
      <input type="hidden" name="sections" value={JSON.stringify(sentSections(sections))} />
      <OrderedList
        keys={keysOf(sections)}
        nameOf={nameOf}
        announcement={announcement}
        drop={(key, over) => change(moveTo(sections, key, over))}
      >
        {sections.map((section, place) => [
          <SectionHead
            key={section.key}
            section={section}
            label={nameOf(section.key)}
            isFirst={place === 0}
            isLast={place === sections.length - 1}
            error={errors[`sections.${place}.name`] ?? errors[`sections.${place}.description`]}
            change={(changes) =>
              change(sections.map((each) => (each === section ? { ...each, ...changes } : each)))
            }
            step={stepBy}
            remove={remove}
          />,
          ...section.rows.map((row, index) => (
            <SectionRow
              key={row.key}
              row={row}
              label={nameOf(row.key)}
              monitorName={row.monitorId === null ? null : (names.get(row.monitorId) ?? 'Deleted monitor')}
              isFirst={place === 0 && index === 0}
              isLast={place === sections.length - 1 && index === section.rows.length - 1}
              error={errorOf(errors, `sections.${place}.items.${index}.`)}
              change={(changes) => change(changeRow(sections, row.key, changes))}
              step={stepBy}
              remove={remove}
            />
          )),
        ])}
      </OrderedList>
      <AddButtons sections={sections} order={order} />
      <p className="text-xs text-muted">
        A component is a row without a monitor. Incidents set its state. Removing the last section keeps its
        monitors.
      </p>
      <AddMonitors
        monitors={monitors.filter(({ id }) => !placed.has(id))}
        isPageEmpty={placed.size === 0}
        add={addMonitors}
      />
      <FieldNotes name="sections" label="Sections" error={errors.sections ?? errors.monitors} />
    </fieldset>
  );
}

type AddButtonsProps = { sections: readonly EditedSection[]; order: ReturnType<typeof useOrder> };

/** Adds sections and components, and chooses the section that components and monitors are added to. */
function AddButtons({ sections, order }: AddButtonsProps) {
  const { nameOf, target, setTarget, addComponent, addSection } = order;
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Button onClick={addSection}>Add section</Button>
      <Button onClick={addComponent}>Add component</Button>
      {sections.length > 1 ? (
        <SelectField
          name="target"
          label="Add to"
          value={target}
          onChange={(event) => setTarget(event.target.value)}
          options={sections.map(({ key }) => ({ value: key, label: nameOf(key) }))}
          className="grow basis-40"
        />
      ) : null}
    </div>
  );
}

/** What can be done to the sections and rows, each with its announcement to screen readers and the next focus. */
function useOrder({ sections, change }: Props, names: ReadonlyMap<string, string>) {
  const keys = keysOf(sections);
  const labels = new Map(
    sections.flatMap((section) => [
      [section.key, section.name || 'Untitled section'] as const,
      ...section.rows.map((row) => [row.key, labelOf(row, names)] as const),
    ]),
  );
  const nameOf = (key: string | number) => labels.get(String(key)) ?? '';
  const [announcement, setAnnouncement] = useState('');
  const [chosenTarget, setTarget] = useState('');
  const target = sections.some(({ key }) => key === chosenTarget)
    ? chosenTarget
    : (sections.at(-1)?.key ?? '');
  const refocus = useRefocus(SEARCH_ID);

  const stepBy = (key: string, direction: Move) => {
    const after = step(sections, key, direction === 'up' ? -1 : 1);
    if (after === sections) return;
    refocus(buttonId(key, direction));
    change(after);
    const section = after.find((each) => keysOf([each]).includes(key));
    const within = section?.key === key ? '' : ` in ${nameOf(section?.key ?? '')}`;
    setAnnouncement(
      `${nameOf(key)} is now in position ${keysOf(after).indexOf(key) + 1} of ${keys.length}${within}.`,
    );
  };
  const remove = (key: string) => {
    const index = keys.indexOf(key);
    refocus(buttonId(keys[index + 1] ?? keys[index - 1] ?? '', 'remove'));
    const isSection = sections.some((section) => section.key === key);
    change(isSection ? removeSection(sections, key) : removeRow(sections, key));
    setAnnouncement(`Removed ${nameOf(key)}.`);
  };
  const addRows = (rows: readonly EditedRow[]) =>
    change(
      sections.map((section) =>
        section.key === target ? { ...section, rows: [...section.rows, ...rows] } : section,
      ),
    );
  const addComponent = () => {
    const row = newComponent(sections);
    refocus(nameInputId(row.key));
    addRows([row]);
  };
  const addSection = () => {
    const section = newSection(sections, []);
    refocus(nameInputId(section.key));
    setTarget(section.key);
    change([...sections, section]);
  };
  const addMonitors = (ids: readonly string[], nextFocus: string) => {
    refocus(nextFocus);
    addRows(ids.map(rowOf));
    setAnnouncement(
      `Added ${ids.length === 1 ? (names.get(ids[0] ?? '') ?? '') : `${ids.length} monitors`}.`,
    );
  };
  return { nameOf, announcement, target, setTarget, stepBy, remove, addComponent, addSection, addMonitors };
}

/** What a row is called on the page. */
function labelOf({ monitorId, name }: EditedRow, names: ReadonlyMap<string, string>): string {
  return name || (monitorId === null ? 'Untitled component' : (names.get(monitorId) ?? 'Deleted monitor'));
}

function errorOf(errors: Record<string, string>, prefix: string): string | undefined {
  return Object.entries(errors).find(([path]) => path.startsWith(prefix))?.[1];
}
