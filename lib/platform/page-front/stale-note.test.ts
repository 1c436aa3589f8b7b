import { describeTexts } from '@/lib/testing/describe-texts';
import SENTENCES from './stale-note.json' with { type: 'json' };

describeTexts(SENTENCES);
