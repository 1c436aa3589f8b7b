export const ENDPOINT_DELETION =
  'No more events are sent to it, and pending deliveries fail. Past deliveries stay in the log.';

export const RECIPIENT_DELETION =
  'No more alerts are sent to this address. To add it again, its owner has to confirm it again.';

export const SECRET_REPLACEMENT =
  'All older secrets stop working immediately. Your receiver will reject requests until it has the new one.';
