type Sample = { language: string; name: string; text: string };

/**
 * Styles of all panels and tabs, set once on a common parent, because a page has dozens. The checked language decides which
 * sample is shown, so tabs work without JavaScript.
 */
export const CODE_LOOK = [
  '[&_[data-copy]]:float-right [&_[data-copy]]:m-1.5 [&_[data-copy]]:rounded [&_[data-copy]]:border [&_[data-copy]]:border-line [&_[data-copy]]:bg-surface',
  '[&_[data-copy]]:px-1.5 [&_[data-copy]]:py-0.5 [&_[data-copy]]:text-xs [&_[data-copy]]:text-muted hover:[&_[data-copy]]:text-ink [@media(scripting:none)]:[&_[data-copy]]:hidden',
  '[&_pre]:px-3 [&_pre]:py-2.5 [&_pre]:font-mono [&_pre]:text-xs [&_pre]:leading-5 [&_pre]:wrap-anywhere [&_pre]:whitespace-pre-wrap',
  '[&_[data-panel]]:overflow-hidden [&_[data-panel]]:rounded-md [&_[data-panel]]:border [&_[data-panel]]:border-line [&_[data-panel]]:bg-sunken',
  '[&_legend+div]:flex [&_legend+div]:border-b [&_legend+div]:border-line [&_legend+div]:bg-surface [&_legend+div]:px-1',
  '[&_fieldset_label]:relative [&_fieldset_label]:border-b-2 [&_fieldset_label]:border-transparent [&_fieldset_label]:px-2.5 [&_fieldset_label]:py-1.5 [&_fieldset_label]:text-xs [&_fieldset_label]:text-muted hover:[&_fieldset_label]:text-ink',
  '[&_fieldset_label:has(:checked)]:border-accent [&_fieldset_label:has(:checked)]:font-medium [&_fieldset_label:has(:checked)]:text-ink',
  '[&_fieldset_label:has(:focus-visible)]:outline-2 [&_fieldset_label:has(:focus-visible)]:-outline-offset-2 [&_fieldset_label:has(:focus-visible)]:outline-accent',
  '[&_fieldset_input]:absolute [&_fieldset_input]:inset-0 [&_fieldset_input]:size-full [&_fieldset_input]:appearance-none [&_fieldset_input]:outline-none',
  '[&_[data-sample]]:hidden [&_fieldset:has([value=curl]:checked)_[data-sample=curl]]:block [&_fieldset:has([value=go]:checked)_[data-sample=go]]:block',
  '[&_fieldset:has([value=javascript]:checked)_[data-sample=javascript]]:block [&_fieldset:has([value=python]:checked)_[data-sample=python]]:block',
].join(' ');

/** Code with a Copy button; `label` is its accessible name. One script handles all of these buttons (PageBehavior). */
export function CodePanel({ text, label }: { text: string; label: string }) {
  return (
    <div data-panel="">
      <Code text={text} label={label} />
    </div>
  );
}

/** The same inside a larger panel. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <>
      <button type="button" data-copy="" aria-label={label}>
        Copy
      </button>
      <pre>{text}</pre>
    </>
  );
}

type TabsProps = { id: string; of: string; samples: Sample[] };

/** A sample in several languages, one visible. With JavaScript, choosing a language switches all samples. */
export function SampleTabs({ id, of, samples }: TabsProps) {
  return (
    <fieldset data-panel="" className="min-w-0">
      <legend className="sr-only">Sample language: {of}</legend>
      <div>
        {samples.map(({ language, name }, index) => (
          <label key={language}>
            <input
              type="radio"
              name={`${id}-language`}
              value={language}
              defaultChecked={index === 0}
              data-language=""
            />
            {name}
          </label>
        ))}
      </div>
      {samples.map(({ language, name, text }) => (
        <div key={language} data-sample={language}>
          <Code text={text} label={`Copy the ${name} sample: ${of}`} />
        </div>
      ))}
    </fieldset>
  );
}
