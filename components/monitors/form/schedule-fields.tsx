import { SelectField, TextField } from '@/components/ui/field';
import { FormSection } from '@/components/ui/fold';
import { type FieldsProps, type FormChoices, intervalText } from './form-choices';
import { RegionChoice } from './region-choice';

/** How often it is checked, how patiently, and from where. */
export function ScheduleFields({ values, errors, choices }: FieldsProps & { choices: FormChoices }) {
  return (
    <FormSection title="When and from where">
      <div className="grid grid-cols-2 gap-4">
        <SelectField
          name="interval"
          label="Interval"
          options={choices.intervals.map((seconds) => ({
            value: String(seconds),
            label: intervalText(seconds),
          }))}
          defaultValue={values.interval}
          error={errors.interval}
        />
        <TextField
          name="timeout"
          label="Timeout"
          unit="s"
          inputMode="numeric"
          defaultValue={values.timeout}
          error={errors.timeout}
        />
      </div>
      <RegionChoice
        regions={choices.regions}
        chosen={values.regions?.split(',') ?? []}
        error={errors.regions}
      />
    </FormSection>
  );
}
