import { CheckField, TextArea, TextField } from '@/components/ui/field';
import { Fold } from '@/components/ui/fold';
import type { FieldsProps } from './form-choices';

const FIELDS = ['headers', 'body', 'keyword', 'tlsExpiryDays'];

/** What an http check sends beside its address, and what it asks of the answer. */
export function RequestFields({ values, errors }: FieldsProps) {
  const bind = (name: string) => ({ name, defaultValue: values[name], error: errors[name] });
  const tick = (name: string) => ({ name, defaultChecked: values[name] === 'on', error: errors[name] });
  const isUsed = FIELDS.some((name) => values[name]);
  return (
    <Fold title="Request and answer" hint="headers, body, keyword, redirects, certificate" isOpen={isUsed}>
      <TextArea
        {...bind('headers')}
        label="Headers"
        placeholder={'Accept: application/json\nX-Token: …'}
        hint={
          values.headers
            ? 'One per line, Name: value. Leave [hidden] to keep a value. A URL on another host needs the values again.'
            : 'One per line, Name: value. Stored encrypted.'
        }
        autoComplete="off"
        spellCheck={false}
      />
      <TextArea
        {...bind('body')}
        label="Body"
        hint="Not with GET or HEAD. Stored encrypted."
        spellCheck={false}
      />
      <TextField {...bind('keyword')} label="Keyword" hint="Text that the body of the answer must contain." />
      <CheckField {...tick('followRedirects')} label="Follow redirects" hint="At most 5." />
      <CheckField {...tick('tlsVerify')} label="Verify the certificate" />
      <TextField
        {...bind('tlsExpiryDays')}
        label="Certificate warning"
        unit="d"
        inputMode="numeric"
        className="sm:max-w-56"
        hint="Degraded when the certificate ends within so many days. Empty: no warning."
      />
    </Fold>
  );
}
