import { type ReactNode, useState } from 'react';
import { pathForMembers } from '@/components/status-page/links';
import { Button, buttonLook } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { describedBy, FieldNotes, TextField } from '@/components/ui/forms/field';
import { IMAGE_FORMATS } from '@/lib/core/images/read-image';
import { isChosenImage } from '@/lib/schemas/status-pages/chosen-image';
import {
  type ImageField as FieldName,
  findImageName,
  parseImageName,
} from '@/lib/schemas/status-pages/page-images';
import { useRefocus } from '../order-parts';
import { chooseImage } from './choose-image';

const ACCEPTED = Object.values(IMAGE_FORMATS)
  .map(({ mediaType }) => mediaType)
  .join();

type Props = {
  name: FieldName;
  label: string;
  hint: string;
  placeholder: string;
  /** The color around the image. */
  background: string;
  /** A URL, the path of an uploaded image, or a chosen file. */
  value: string;
  error: string | undefined;
  change: (value: string) => void;
};

/** An image of the page: by its URL, or a file, which is uploaded when the form is saved. */
export function ImageField(props: Props) {
  const { name, label, hint, placeholder, value, change } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const refocus = useRefocus(name);
  const error = problem ?? props.error;
  const set = (next: string) => {
    setProblem(null);
    change(next);
  };
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    const chosen = await chooseImage(file);
    if ('problem' in chosen) return setProblem(chosen.problem);
    refocus(`${name}-file`);
    set(chosen.value);
  };
  const isFile = isChosenImage(value) || findImageName(value) !== null;
  const picker = (text: string) => (
    <FilePicker
      name={name}
      text={text}
      label={label}
      choose={choose}
      {...(isFile && { describedBy: describedBy({ name, hint: 'shown', error }) })}
    />
  );
  if (isFile) {
    return (
      <ShownFile {...props} error={error}>
        {picker('Replace')}
        <Button
          aria-label={`Remove ${label.toLowerCase()}`}
          onClick={() => {
            refocus(name);
            set('');
          }}
        >
          Remove
        </Button>
      </ShownFile>
    );
  }
  return (
    <div className="flex flex-wrap items-start gap-2">
      <TextField
        name={name}
        label={label}
        value={value}
        onChange={({ target }) => set(target.value)}
        error={error}
        type="url"
        inputMode="url"
        isCode
        placeholder={placeholder}
        hint={`${hint} Enter the HTTPS URL of an image, or upload a PNG, JPEG, WebP, or ICO of at most 256 KB.`}
        className="flex-1 basis-60"
      />
      <div className="sm:mt-6.5">{picker('Upload')}</div>
    </div>
  );
}

type PickerProps = {
  name: string;
  text: string;
  label: string;
  choose: (file: File | undefined) => Promise<void>;
  describedBy?: ReturnType<typeof describedBy>;
};

/** A button that opens the file dialog: the input itself, so that it works by keyboard and has the errors. It is not submitted. */
function FilePicker({ name, text, label, choose, describedBy: described }: PickerProps) {
  return (
    <label
      className={cn(
        buttonLook({ size: 'large' }),
        'relative has-focus-visible:outline-2 has-focus-visible:outline-accent',
      )}
    >
      <span aria-hidden="true">{text}</span>
      <input
        aria-describedby={described?.['aria-describedby']}
        aria-invalid={described?.['aria-invalid']}
        id={`${name}-file`}
        type="file"
        accept={ACCEPTED}
        aria-label={`${text} ${label.toLowerCase()}`}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file can be chosen again.
          void choose(file).finally(() => {
            target.value = '';
          });
        }}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
      />
    </label>
  );
}

/** A file with its buttons. */
function ShownFile({ name, label, value, background, error, children }: Props & { children: ReactNode }) {
  const isSaved = !isChosenImage(value);
  const [loaded, setLoaded] = useState('');
  const stated = parseImageName(findImageName(value) ?? '');
  const size = stated === null ? loaded : formatSize(stated);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p id={`${name}-label`} className="text-sm font-medium">
        {label}
      </p>
      <input type="hidden" name={name} value={value} />
      <div className="flex flex-wrap items-center gap-2">
        <span
          className="flex h-11 min-w-11 items-center justify-center rounded-md border border-line px-2"
          style={{ background }}
        >
          <img
            src={isSaved ? pathForMembers(value) : value}
            alt={`${label} of the page`}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setLoaded(formatSize({ width, height }))
            }
            className="h-8 w-auto max-w-48 object-contain"
          />
        </span>
        {children}
      </div>
      <FieldNotes
        name={name}
        label={label}
        hint={`${size}${size === '' ? '' : '. '}${isSaved ? 'Uploaded.' : 'Uploaded when you save.'}`}
        error={error}
      />
    </div>
  );
}

function formatSize({ width, height }: { width: number; height: number }): string {
  return `${width} × ${height} pixels`;
}
