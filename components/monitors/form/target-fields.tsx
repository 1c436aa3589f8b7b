import { SelectField, TextField } from '@/components/ui/field';
import { FormSection } from '@/components/ui/fold';
import { findCheckType, hasFieldGroup } from '@/lib/checks/types';
import type { FieldsProps, FormChoices } from './form-choices';
import { TypeChoice } from './type-choice';

type Props = FieldsProps & { choices: FormChoices; type: string; setType: (type: string) => void };

const PLAIN = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const;

/** What is watched, and what it is called. */
export function TargetFields({ values, errors, choices, type, setType }: Props) {
  const form = findCheckType(type)?.form;
  return (
    <FormSection title="What to watch">
      <TypeChoice type={type} onChange={setType} error={errors.type} />
      <TextField
        name="name"
        label="Name"
        required
        placeholder="Checkout API"
        defaultValue={values.name}
        error={errors.name}
      />
      <TextField
        name="url"
        label={form?.label ?? 'Target'}
        required
        className="[&_input]:font-mono"
        placeholder={form?.placeholder}
        {...PLAIN}
        defaultValue={values.url}
        error={errors.url}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {hasFieldGroup(type, 'request') ? (
          <>
            <SelectField
              name="method"
              label="Method"
              options={choices.methods.map((method) => ({ value: method, label: method }))}
              defaultValue={values.method}
              error={errors.method}
            />
            <TextField
              name="expectedStatusCode"
              label="Expected status"
              inputMode="numeric"
              defaultValue={values.expectedStatusCode}
              error={errors.expectedStatusCode}
            />
          </>
        ) : null}
        {form?.parts?.inputs.map(({ options, ...part }) =>
          options ? (
            <SelectField
              key={part.name}
              {...part}
              options={options}
              defaultValue={values[part.name]}
              error={errors[part.name]}
            />
          ) : (
            <TextField
              key={part.name}
              {...part}
              className="[&_input]:font-mono"
              {...PLAIN}
              defaultValue={values[part.name]}
              error={errors[part.name]}
            />
          ),
        )}
      </div>
    </FormSection>
  );
}
