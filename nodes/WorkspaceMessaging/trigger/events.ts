/** What can start a workflow. The API sends no events of its own (part 6): each is found by comparing lists. */
export const contactEvents = ['contactCreated', 'contactUpdated'] as const;
export const tagEvents = ['tagAdded', 'tagRemoved'] as const;
export const statusEvents = [
	'broadcastStatusChanged',
	'channelStatusChanged',
	'sequenceActiveChanged',
] as const;

export type ContactEvent = (typeof contactEvents)[number];
export type TagEvent = (typeof tagEvents)[number];
export type StatusEvent = (typeof statusEvents)[number];
export type TriggerEvent = ContactEvent | TagEvent | StatusEvent;

export function isContactEvent(event: TriggerEvent): event is ContactEvent {
	return (contactEvents as readonly string[]).includes(event);
}

export function isTagEvent(event: TriggerEvent): event is TagEvent {
	return (tagEvents as readonly string[]).includes(event);
}
