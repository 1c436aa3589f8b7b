import { CodePanel } from './code-panel';

/** The value of a choice, and how its panel comes to show without a script. */
const SHOWN_WHEN = {
  curl: 'hidden group-has-[[value=curl]:checked]/samples:block',
  javascript: 'hidden group-has-[[value=javascript]:checked]/samples:block',
  python: 'hidden group-has-[[value=python]:checked]/samples:block',
  go: 'hidden group-has-[[value=go]:checked]/samples:block',
} as const;

export type SampleLanguage = keyof typeof SHOWN_WHEN;
export type Sample = { language: SampleLanguage; name: string; text: string };

type Props = { id: string; of: string; samples: Sample[] };

/** The same sample in several languages, one shown. Works without a script; with it all samples follow one choice. */
export function SampleTabs({ id, of, samples }: Props) {
  const [first] = samples;
  return (
    <fieldset className="group/samples min-w-0 overflow-hidden rounded-md border border-line bg-sunken">
      <legend className="sr-only">Language of the sample: {of}</legend>
      <div className="flex border-b border-line bg-surface px-1">
        {samples.map(({ language, name }) => (
          <label
            key={language}
            className="relative border-b-2 border-transparent px-2.5 py-1.5 text-xs text-muted hover:text-ink has-checked:border-accent has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={`${id}-language`}
              value={language}
              defaultChecked={language === first?.language}
              data-language=""
              className="absolute inset-0 size-full appearance-none outline-none"
            />
            {name}
          </label>
        ))}
      </div>
      {samples.map(({ language, name, text }) => (
        <CodePanel
          key={language}
          text={text}
          label={`Copy the ${name} sample: ${of}`}
          className={SHOWN_WHEN[language]}
        />
      ))}
    </fieldset>
  );
}
