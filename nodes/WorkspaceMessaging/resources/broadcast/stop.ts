import type { IDataObject } from 'n8n-workflow';
import { broadcastApi, statusNeededTo } from '../../contract/broadcast';
import type { Endpoint } from '../../contract/endpoint';
import { defineOperation } from '../../run/operation';
import type { AnyItem } from '../../run/item';
import { plannedBroadcast } from './schedule';
import { broadcastToChange, readBroadcast, sendStep, wrongStatusError } from './steps/status';

/** By the status of a broadcast: the step that stops it, and the status that it has after that. */
const stops = new Map<string, { endpoint: Endpoint; becomes: string }>([
	[
		statusNeededTo.moveToDraft,
		{ endpoint: broadcastApi.moveBroadcastToDraft, becomes: statusNeededTo.schedule },
	],
	[statusNeededTo.stop, { endpoint: broadcastApi.stopBroadcast, becomes: 'cancelled' }],
]);

export const stop = defineOperation({
	name: 'Stop',
	value: 'stop',
	action: 'Stop broadcast',
	description:
		'Stop a broadcast: a scheduled one is a draft again, one that is being sent reaches nobody else',
	endpoint: broadcastApi.stopBroadcast,
	keptFromAgents: 'stop a broadcast',
	fields: [broadcastToChange],
	output: plannedBroadcast.pick({ id: true, name: true, status: true }),

	async run(item) {
		const found = await readBroadcast(item, item.params.broadcastId);
		const { id, name, status } = await stopIn(item, found);
		return [{ id: String(id), name, status }];
	},
});

/**
 * Stops a broadcast, and returns its record. If the step fails, reads the status again: sending may
 * have begun meanwhile, which needs the other step. Throws an `ApiError` if no step stops a broadcast
 * that has this status.
 */
async function stopIn(item: AnyItem, found: IDataObject): Promise<IDataObject> {
	const { endpoint, becomes } = findStep(found);
	const failed = await sendStep(item, endpoint, String(found.id));
	if (!failed) return { ...found, status: becomes };
	const { error, now } = failed;
	// The lost request stopped it, or somebody else.
	if (now.status === becomes) return now;
	if (now.status === found.status) throw error;
	return await stopIn(item, now);
}

function findStep(found: IDataObject) {
	const step = stops.get(String(found.status));
	if (!step) throw wrongStatusError(found, 'stop');
	return step;
}
