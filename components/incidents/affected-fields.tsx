import { useState } from 'react';
import { MonitorPicker } from '@/components/monitors/monitor-picker';
import { type FormState, splitIds } from '@/components/ui/forms/form-state';
import { type AudiencePage, componentsOf } from './shown-on';

/** The IDs of the monitors and components that an incident affects. Deleted ones are kept. */
export type Affected = { monitors: string[]; components: string[] };

/** What a form affects: at first what its values have. */
export function useAffected({ affectedMonitors, affectedComponents }: FormState['values']) {
  return useState<Affected>({
    monitors: splitIds(affectedMonitors),
    components: splitIds(affectedComponents),
  });
}

type Props = {
  monitors: readonly { id: string; name: string }[];
  pages: readonly AudiencePage[];
  affected: Affected;
  onChange: (affected: Affected) => void;
  errors: FormState['errors'];
};

/** The choice of the monitors and components that an incident affects. */
export function AffectedFields({ monitors, pages, affected, onChange, errors }: Props) {
  const components = pages.flatMap((page) =>
    componentsOf([page]).map(({ id, name }) => ({
      id,
      name: pages.length > 1 ? `${name} (${page.name})` : name,
    })),
  );
  return (
    <>
      <KeptPicker
        name="affectedMonitors"
        label="Affected monitors"
        noun="monitors"
        options={monitors}
        chosen={affected.monitors}
        onChoose={(ids) => onChange({ ...affected, monitors: ids })}
        error={errors.affectedMonitors}
      />
      <KeptPicker
        name="affectedComponents"
        label="Affected components"
        noun="components"
        options={components}
        chosen={affected.components}
        onChoose={(ids) => onChange({ ...affected, components: ids })}
        isHidden={components.length === 0}
        error={errors.affectedComponents}
      />
    </>
  );
}

type PickerProps = {
  name: string;
  label: string;
  noun: string;
  options: Props['monitors'];
  chosen: string[];
  onChoose: (ids: string[]) => void;
  isHidden?: boolean;
  error?: string;
};

/** A choice that keeps what was chosen and can no longer be. */
function KeptPicker({ options, chosen, onChoose, isHidden = false, ...picker }: PickerProps) {
  const known = new Set(options.map(({ id }) => id));
  const kept = chosen.filter((id) => !known.has(id));
  return (
    <>
      {kept.map((id) => (
        <input key={id} type="hidden" name={picker.name} value={id} />
      ))}
      {isHidden ? null : (
        <MonitorPicker
          {...picker}
          monitors={options}
          chosen={chosen.filter((id) => known.has(id))}
          onChoose={(ids) => onChoose([...ids, ...kept])}
        />
      )}
    </>
  );
}
