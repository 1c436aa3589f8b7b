import { Fold } from '@/components/ui/fold';
import { TextField } from '@/components/ui/forms/field';
import { useTimeZone } from '@/components/ui/time/page-clock';
import { instantText, wallText } from '@/lib/core/time/zoned-time';
import { MAX_ANNOUNCEMENT } from '@/lib/schemas/status-pages/brand-limits';
import { type EditedAnnouncement, sentAnnouncement } from './brand-values';

const WEEK = 7 * 24 * 3_600_000;
const MINUTE = 60_000;

type Props = {
  announcement: EditedAnnouncement;
  errors: Record<string, string>;
  /** The time zone of the page; empty for that of each visitor. */
  timeZone: string;
  change: (announcement: EditedAnnouncement) => void;
};

/** The announcement of a page. One that is begun ends in a week, until another end is chosen. */
export function AnnouncementFields({ announcement, errors, timeZone, change }: Props) {
  const { text, url, endsAt } = announcement;
  const own = useTimeZone();
  const zone = timeZone || own;
  const hasError = ['announcementText', 'announcementUrl', 'announcementEndsAt'].some((name) => errors[name]);
  const changeText = (typed: string) => {
    const end = endsAt || new Date(Math.ceil((Date.now() + WEEK) / MINUTE) * MINUTE).toISOString();
    change({ ...announcement, text: typed, endsAt: typed === '' ? endsAt : end });
  };
  return (
    <Fold title="Announcement" hint={text || 'None'} isOpen={hasError}>
      <input type="hidden" name="announcement" value={JSON.stringify(sentAnnouncement(announcement))} />
      <TextField
        name="announcementText"
        label="Message"
        value={text}
        maxLength={MAX_ANNOUNCEMENT}
        onChange={({ target }) => changeText(target.value)}
        placeholder="We are moving to a new data center on Sunday."
        hint="Shown above the status until it ends. Leave empty for none."
        error={errors.announcementText}
      />
      <TextField
        name="announcementUrl"
        label="Link"
        type="url"
        inputMode="url"
        isCode
        value={url}
        onChange={({ target }) => change({ ...announcement, url: target.value })}
        placeholder="https://example.com/blog/move"
        hint="Optional. Where the text leads."
        error={errors.announcementUrl}
      />
      <TextField
        name="announcementEndsAt"
        label="Ends"
        type="datetime-local"
        value={wallText(Date.parse(endsAt), zone)}
        onChange={({ target }) => change({ ...announcement, endsAt: instantText(target.value, zone) })}
        hint={`Time zone: ${zone.replaceAll('_', ' ')}`}
        error={errors.announcementEndsAt}
      />
    </Fold>
  );
}
