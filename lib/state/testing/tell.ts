import { expect } from 'vitest';
import type { StateConfig } from '../types';
import { configOf, linesOf, Story } from './story';

/** Tells the story of a new monitor and expects every line to come true. */
export function tell(config: Partial<StateConfig>, lines: string): Story {
  const story = new Story(configOf(config));
  expect(story.told(lines)).toEqual(linesOf(lines));
  return story;
}
