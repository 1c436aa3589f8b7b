import { CheckField, TextField } from '@/components/ui/field';
import { Fold } from '@/components/ui/fold';
import type { FieldsProps } from './form-choices';

/** What helps to find a monitor again, and whether it is checked. */
export function MoreFields({ values, errors }: FieldsProps) {
  const bind = (name: string) => ({ name, defaultValue: values[name], error: errors[name] });
  const isUsed = Boolean(values.tags || values.ref) || values.enabled !== 'on';
  return (
    <Fold title="Tags and state" hint="tags, reference, paused" isOpen={isUsed}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...bind('tags')}
          label="Tags"
          placeholder="shop, production"
          hint="Separated by commas."
        />
        <TextField {...bind('ref')} label="Reference" hint="Your own id of it, unique among your monitors." />
      </div>
      <CheckField
        name="enabled"
        label="Checked"
        hint="Otherwise it is paused: its status stays as it is and nobody is told of anything."
        defaultChecked={values.enabled === 'on'}
        error={errors.enabled}
      />
    </Fold>
  );
}
