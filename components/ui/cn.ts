import { type ClassValue, clsx } from 'clsx';

/** Joins class names. No two may set the same property: the browser tests check every page for that. */
export function cn(...values: ClassValue[]): string {
  return clsx(values);
}
