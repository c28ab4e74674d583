import type { IDataObject } from 'n8n-workflow';

/** The fields of a sequence that people use most. */
export function simplifySequence(sequence: IDataObject): IDataObject {
	const { id, name, active, subscribers, messages, openRate, ctr } = sequence;
	return { id, name, active, subscribers, messages, openRate, ctr };
}
