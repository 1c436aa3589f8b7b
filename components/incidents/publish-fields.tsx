import { useEffect, useState } from 'react';
import { SelectField, TextField } from '@/components/ui/forms/field';

type Props = {
  /** The time that was chosen, as the API takes it. */
  publishAt?: string;
  error?: string;
  isScheduled: boolean;
};

const WHEN = [
  { value: 'now', label: 'Now' },
  { value: 'later', label: 'At a time' },
];

/** When an update is published: now, or at a time that is typed in the time zone of the browser. */
export function PublishFields({ publishAt = '', error, isScheduled }: Props) {
  const [when, setWhen] = useState(isScheduled || publishAt !== '' ? 'later' : 'now');
  const [typed, setTyped] = useState('');
  // Only in the browser, whose time zone the server does not know.
  useEffect(() => setTyped(toLocalText(publishAt)), [publishAt]);
  return (
    <div className="flex flex-wrap gap-3">
      {isScheduled ? (
        <input type="hidden" name="when" value="later" />
      ) : (
        <SelectField
          name="when"
          label="Publish"
          options={WHEN}
          value={when}
          onChange={({ target }) => setWhen(target.value)}
          className="w-full sm:w-56"
        />
      )}
      {when === 'later' ? (
        <>
          <TextField
            name="publishAtLocal"
            type="datetime-local"
            label="Publish at"
            hint="In your time zone. Dropped if the incident is resolved by then."
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            error={error}
            className="w-full sm:w-56"
          />
          <input type="hidden" name="publishAt" value={toInstant(typed)} />
        </>
      ) : null}
    </div>
  );
}

/** `2027-03-01T10:00` in the time zone of the browser; empty without a valid time. */
function toLocalText(instant: string): string {
  const at = Date.parse(instant);
  if (Number.isNaN(at)) return '';
  const minutes = new Date(at).getTimezoneOffset();
  return new Date(at - minutes * 60_000).toISOString().slice(0, 16);
}

function toInstant(local: string): string {
  const at = Date.parse(local);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}
