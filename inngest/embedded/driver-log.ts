/** Where the driver says what a person should know; a pino logger fits. */
export type DriverLog = {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};
