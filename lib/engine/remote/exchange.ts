import type { Input, OperationName, Output } from './protocol';

/** Why an exchange brought no response: the service or the way to it is out of order, or it refuses this probe. */
export class ExchangeError extends Error {
  override name = 'ExchangeError';
  constructor(
    message: string,
    /** What the service refuses, and would refuse again: this request, or every one of a probe whose token does not count. Null: it may pass. */
    readonly refused: 'request' | 'probe' | null,
  ) {
    super(message);
  }
}

/** Requests to a service for one probe. */
export type Exchange = {
  /** Rejects with ExchangeError. `now` is the time of the service at the response. */
  send<Name extends OperationName>(
    name: Name,
    input: Input<Name>,
  ): Promise<{ now: number; output: Output<Name> }>;
  /** Only the output. */
  request<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>>;
  /** The time of the service, in epoch milliseconds. */
  readTime(): Promise<number>;
};
