import { SelectField, TextField } from '@/components/ui/field';
import { FormSection } from '@/components/ui/form-section';
import { type FieldsProps, type FormChoices, TYPE_TEXTS } from './form-choices';
import { TypeChoice } from './type-choice';

type Props = FieldsProps & { choices: FormChoices; type: string; setType: (type: string) => void };

const PLAIN = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const;

/** What is watched, and what it is called. */
export function TargetFields({ values, errors, choices, type, setType }: Props) {
  const texts = TYPE_TEXTS[type];
  return (
    <FormSection title="What to watch">
      <TypeChoice types={choices.types} type={type} onChange={setType} error={errors.type} />
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
        label={texts?.target ?? 'Target'}
        required
        className="[&_input]:font-mono"
        placeholder={texts?.placeholder}
        {...PLAIN}
        defaultValue={values.url}
        error={errors.url}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {type === 'http' ? (
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
        {type === 'dns' ? (
          <>
            <SelectField
              name="recordType"
              label="Record"
              options={[
                { value: '', label: 'Any address (A or AAAA)' },
                ...choices.recordTypes.map((record) => ({ value: record, label: record })),
              ]}
              defaultValue={values.recordType}
            />
            <TextField
              name="resolver"
              label="Resolver"
              placeholder="9.9.9.9"
              hint="A name server to ask. Empty: the usual one."
              className="[&_input]:font-mono"
              {...PLAIN}
              defaultValue={values.resolver}
              error={errors.resolver}
            />
          </>
        ) : null}
      </div>
    </FormSection>
  );
}
