export const ENDPOINT_DELETION =
  'No more events are sent to it, and pending deliveries fail. Past deliveries stay in the log.';

export const SECRET_REPLACEMENT =
  'All older secrets stop working immediately. Your receiver will reject requests until it has the new one.';
