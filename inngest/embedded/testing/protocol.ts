// For a test server that speaks Inngest's protocol over HTTP.
export { createTimerEvent, type DriverEvent, parseSentEvents } from '../client';
export { callBody, driveRun, type Operation, readResult } from '../run';
