import type { PhaseName } from './result';

/** Whom the checks of a monitor reach. */
export type Target = {
  /** The host that a probe connects to; null where it asks the worker's own resolver. */
  host: string | null;
  /** The name that is looked up and not connected to. */
  lookup?: string;
  /** The origin that headers and body are sent to, for a type that sends them. */
  origin?: string;
};

/** An input of the form beside that of the target: a choice where it has options. */
type TargetInput = {
  name: string;
  label: string;
  placeholder?: string;
  hint?: string;
  options?: readonly { value: string; label: string }[];
};

/** How a target is shown in several inputs, of which `url` is the first. */
export type TargetInputs = {
  inputs: readonly TargetInput[];
  /** A target as the values of the inputs, `url` among them. */
  split(url: string): Record<string, string>;
  /** The target that was typed; what cannot be put together stays as it was typed in `url`. */
  join(typed: Readonly<Record<string, string>>): string;
  /** Which input is wrong where the whole is refused, and what it must be; null where it is `url`. */
  blame(typed: Readonly<Record<string, string>>): { name: string; message: string } | null;
};

/** Groups of the form's fields that not every type has: `request` is what is sent and what is expected in response. */
export type FieldGroup = 'request';

/** Everything about a check type but its probe. Runs in a browser: no Node.js builtins. */
export type CheckType = {
  target: {
    /** What a target must be, in words. */
    shape: string;
    /** Null where a text is not a target of this type. */
    parse(url: string): Target | null;
  };
  form: {
    label: string;
    placeholder: string;
    groups: readonly FieldGroup[];
    parts?: TargetInputs;
  };
  texts: {
    /** The name of the type on screens. */
    label: string;
    /** What a check asks for, beside the target. */
    request(monitor: { method: string; expectedStatusCode: number; keyword: string | null }): string;
  };
  /** The phases that a check of this type can have. */
  phases: readonly PhaseName[];
};
