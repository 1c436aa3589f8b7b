import { readableTheme } from '@/components/status-page/theme/theme-css';
import { Fold } from '@/components/ui/fold';
import { CheckField, SelectField, TextArea, TextField } from '@/components/ui/forms/field';
import { useTimeZone } from '@/components/ui/time/page-clock';
import { instantText, wallText } from '@/lib/core/time/zoned-time';
import { FONTS, MAX_ANNOUNCEMENT, MAX_CUSTOM_CSS } from '@/lib/schemas/status-pages/brand-limits';
import type { ImageField as ImageFieldName } from '@/lib/schemas/status-pages/page-images';
import type { PageValues } from '../page-values';
import { type EditedAnnouncement, sentAnnouncement } from './brand-values';
import { ImageField } from './image-field';
import { LinkFields } from './link-fields';
import { ThemeFields } from './theme-fields';

const FONT_LABELS: Record<PageValues['font'], string> = {
  sans: 'Sans-serif',
  serif: 'Serif',
  mono: 'Monospaced',
};

type Props = {
  /** Whether the plan includes custom CSS and pages without “Powered by”. */
  hasBranding: boolean;
  values: PageValues;
  errors: Record<string, string>;
  change: (changes: Partial<PageValues>) => void;
};

/** How a page looks and presents itself. */
export function BrandFields(props: Props) {
  const { hasBranding, values, errors, change } = props;
  return (
    <>
      <AppearanceFields {...props} />
      <LinkFields links={values.links} errors={errors} change={(links) => change({ links })} />
      <AnnouncementFields
        announcement={values.announcement}
        errors={errors}
        timeZone={values.timeZone}
        change={(announcement) => change({ announcement })}
      />
      <Fold title="Custom CSS" hint={values.customCss === '' ? 'None' : 'In use'} isOpen={!!errors.customCss}>
        <TextArea
          name="customCss"
          label="Custom CSS"
          rows={10}
          value={values.customCss}
          onChange={({ target }) => change({ customCss: target.value })}
          maxLength={MAX_CUSTOM_CSS}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          placeholder=".banner { border-radius: 0 }"
          hint={`Applied after the styles of the page. Nothing can be loaded: no url(), @import, or @font-face.${hasBranding ? '' : ' Your plan does not include this.'}`}
          error={errors.customCss}
        />
      </Fold>
    </>
  );
}

function AppearanceFields({ hasBranding, values, errors, change }: Props) {
  const { light, dark } = readableTheme(values);
  const bindImage = (name: ImageFieldName) => ({
    name,
    value: values[name],
    change: (value: string) => change({ [name]: value }),
    error: errors[name],
  });
  return (
    <Fold title="Appearance" hint="Colors, logo, and font" isOpen>
      <ThemeFields values={values} errors={errors} change={change} />
      <ImageField
        {...bindImage('logoUrl')}
        label="Logo"
        placeholder="https://example.com/logo.svg"
        hint="Optional. Shown 32 pixels high."
        background={values.appearance === 'dark' ? dark.bg : light.bg}
      />
      <ImageField
        {...bindImage('darkLogoUrl')}
        label="Logo on dark backgrounds"
        placeholder="https://example.com/logo-dark.svg"
        hint="Optional. If empty, the logo above is used."
        background={dark.bg}
      />
      <ImageField
        {...bindImage('faviconUrl')}
        label="Favicon"
        placeholder="https://example.com/favicon.svg"
        hint="Optional. If empty, the icon in the browser tab shows the status."
        background="transparent"
      />
      <SelectField
        name="font"
        label="Font"
        value={values.font}
        onChange={({ target }) =>
          change({ font: FONTS.find((font) => font === target.value) ?? values.font })
        }
        options={FONTS.map((font) => ({ value: font, label: FONT_LABELS[font] }))}
        hint="A system font. No font files are loaded."
        error={errors.font}
      />
      <CheckField
        name="poweredBy"
        label="Show “Powered by” in the footer"
        checked={values.poweredBy}
        onChange={({ target }) => change({ poweredBy: target.checked })}
        {...(!hasBranding && { hint: 'Your plan does not include turning this off.' })}
        error={errors.poweredBy}
      />
    </Fold>
  );
}

const WEEK = 7 * 24 * 3_600_000;
const MINUTE = 60_000;

type AnnouncementFieldsProps = {
  announcement: EditedAnnouncement;
  errors: Record<string, string>;
  /** The time zone of the page; empty for that of each visitor. */
  timeZone: string;
  change: (announcement: EditedAnnouncement) => void;
};

/** The announcement of a page. One that is begun ends in a week, until another end is chosen. */
function AnnouncementFields({ announcement, errors, timeZone, change }: AnnouncementFieldsProps) {
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
        hint="Optional. Turns the text into a link."
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
