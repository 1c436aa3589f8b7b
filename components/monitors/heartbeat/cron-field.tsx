import { useEffect, useState } from 'react';
import { describedBy, type FieldFrame, Frame, INPUT } from '@/components/ui/forms/field';
import { listTimeZones } from '@/lib/core/time/list-time-zones';
import { splitSchedule } from './typed-schedule';

type Props = FieldFrame & { defaultValue: string; placeholder?: string };

/** A cron expression and its time zone, submitted under one name: `30 3 * * *,Europe/Berlin`. */
export function CronField({ defaultValue, placeholder, ...frame }: Props) {
  const { name, hint, error } = frame;
  const { cron, timeZone } = splitSchedule(defaultValue);
  const [zones, setZones] = useState([timeZone]);
  // Browsers know other time zones than the server.
  useEffect(() => setZones(listTimeZones(timeZone)), [timeZone]);
  return (
    <Frame {...frame}>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        <input
          {...describedBy({ name, hint, error })}
          defaultValue={cron}
          placeholder={placeholder}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          className={`${INPUT} h-9 font-mono`}
        />
        <select name={name} aria-label="Time zone" defaultValue={timeZone} className={`${INPUT} h-9`}>
          {zones.map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      </div>
    </Frame>
  );
}
