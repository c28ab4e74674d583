import type { IDataObject } from 'n8n-workflow';
import { sequence } from '../../contract';

export const simpleSequence = sequence.pick({
	id: true,
	name: true,
	active: true,
	subscribers: true,
	messages: true,
	openRate: true,
	ctr: true,
});

/** The fields of a sequence that people use most. */
export function simplifySequence(record: IDataObject): IDataObject {
	const { id, name, active, subscribers, messages, openRate, ctr } = record;
	return { id, name, active, subscribers, messages, openRate, ctr };
}
