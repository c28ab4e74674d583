import type { TriggerEvent } from '../types';
import { contactEvents } from './contacts';
import { statusEvents } from './statuses';
import { tagEvents } from './tags';

/** All events, in the order of their names. */
export const events: TriggerEvent[] = [...contactEvents, ...statusEvents, ...tagEvents].sort((a, b) =>
	a.name.localeCompare(b.name),
);
