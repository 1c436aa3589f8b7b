// For a test server that speaks Inngest's protocol over HTTP.
export { createTimerEvent, type DriverEvent, parseSentEvents } from '../client';
export { callBody, driveRun, readResult, type StepOperation } from '../run';
