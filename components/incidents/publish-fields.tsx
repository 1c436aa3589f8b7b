import { useState } from 'react';
import { SelectField, TextField } from '@/components/ui/forms/field';
import { useTimeZone } from '@/components/ui/time/page-clock';
import { instantText, wallText } from '@/lib/core/time/zoned-time';

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
  const zone = useTimeZone();
  const [typed, setTyped] = useState<string | null>(null);
  const local = typed ?? wallText(Date.parse(publishAt), zone);
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
            value={local}
            onChange={({ target }) => setTyped(target.value)}
            error={error}
            className="w-full sm:w-56"
          />
          <input type="hidden" name="publishAt" value={instantText(local, zone)} />
        </>
      ) : null}
    </div>
  );
}
