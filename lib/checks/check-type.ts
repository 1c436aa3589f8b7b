import type { AssertionSource } from './assertions/assertion';
import type { PhaseName } from './result';

export type Target = {
  /** The host that a probe connects to; null when it queries the worker's own resolver. */
  host: string | null;
  /** The name that is resolved but never connected to. */
  lookup?: string;
  /** The origin that receives headers and body, for types that send them. */
  origin?: string;
};

/** An extra form input next to the target; a select when it has options. */
type TargetInput = {
  name: string;
  label: string;
  placeholder?: string;
  hint?: string;
  options?: readonly { value: string; label: string }[];
};

/** Splits a target into several form inputs, the first of which is `url`. */
export type TargetInputs = {
  inputs: readonly TargetInput[];
  /** The input values of a target, including `url`. */
  split(url: string): Record<string, string>;
  /** The target assembled from the inputs; returns `url` unchanged when it cannot be assembled. */
  join(typed: Readonly<Record<string, string>>): string;
  /** Which input caused a rejected target and what it must be; null when it is `url`. */
  blame(typed: Readonly<Record<string, string>>): { name: string; message: string } | null;
};

/**
 * Groups of form fields that only some types have. `probe`: what is checked from where, how often; `connection`: how the target is connected to; `request`: what is sent and the
 * expected response; `certificate`: what that of the server must be like; `protocol`: what is spoken over a connection; `banner`: what is sent before the first bytes are read; `lookup`: which DNS servers are asked, and what they must respond;
 * `calls`: when a job is expected to call; `members`: the monitors of a group, and how many of them must be up; `thresholds`: how many results
 * in a row change the status.
 */
export type FieldGroup =
  | 'probe'
  | 'connection'
  | 'request'
  | 'certificate'
  | 'protocol'
  | 'assertions'
  | 'banner'
  | 'lookup'
  | 'calls'
  | 'members'
  | 'thresholds';

/** Everything about a check type except its probe. Runs in the browser: no Node.js builtins. */
export type CheckType = {
  /** Whether workers probe a target; otherwise nothing is scheduled in regions. */
  isProbed: boolean;
  /** Of a type that is not probed: what its status follows from, if not from the calls of a job. */
  follows?: 'members';
  /** Defaults that differ from those of other types. */
  defaults?: { alertThreshold: number };
  target: {
    shape: string;
    /** Null when the text is not a valid target of this type. */
    parse(url: string): Target | null;
    /** What is wrong with a text that is not valid, as a predicate; by default, that it must be of that shape. */
    findProblem?(url: string): string;
  };
  form: {
    label: string;
    placeholder: string;
    groups: readonly FieldGroup[];
    parts?: TargetInputs;
    /** What people leave out of a target: the whole one, and what was added; null if nothing is missing. */
    complete?(typed: string): { target: string; added: string } | null;
  };
  texts: {
    label: string;
    /** What a check requests in addition to the target. */
    request(monitor: { method: string; expectedStatusCode: number; keyword: string | null }): string;
  };
  phases: readonly PhaseName[];
  /** What assertions can be about. */
  assertions: readonly AssertionSource[];
};
