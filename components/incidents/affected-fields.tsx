import { MonitorPicker } from '@/components/maintenance/monitor-picker';
import type { FormState } from '@/components/ui/forms/form-state';
import type { AudiencePage } from './shown-on';

type Props = {
  monitors: readonly { id: string; name: string }[];
  pages: readonly AudiencePage[];
  chosen: string[];
  onChoose: (ids: string[]) => void;
  chosenComponents: string[];
  onChooseComponents: (ids: string[]) => void;
  /** Deleted monitors, which are kept, as removed components are. */
  deleted: readonly string[];
  errors: FormState['errors'];
};

/** The choice of the monitors and components that an incident affects. */
export function AffectedFields(props: Props) {
  const { monitors, pages, chosen, onChoose, chosenComponents, onChooseComponents, deleted, errors } = props;
  const components = pages.flatMap((page) =>
    page.components.map(({ id, name }) => ({ id, name: pages.length > 1 ? `${name} (${page.name})` : name })),
  );
  const removed = chosenComponents.filter((id) => components.every((component) => component.id !== id));
  return (
    <>
      <MonitorPicker
        name="affectedMonitors"
        label="Affected monitors"
        monitors={monitors}
        chosen={chosen}
        onChoose={onChoose}
        error={errors.affectedMonitors}
      />
      {deleted.map((id) => (
        <input key={id} type="hidden" name="affectedMonitors" value={id} />
      ))}
      {removed.map((id) => (
        <input key={id} type="hidden" name="affectedComponents" value={id} />
      ))}
      {components.length === 0 ? null : (
        <MonitorPicker
          name="affectedComponents"
          label="Affected components"
          noun="components"
          monitors={components}
          chosen={chosenComponents}
          onChoose={onChooseComponents}
          error={errors.affectedComponents}
        />
      )}
    </>
  );
}
