import { z } from 'zod/v4';
import { broadcastApi, statusNeededTo } from '../../contract/broadcast';
import { number, string, stringOrNull } from '../../contract/values';
import { optional } from '../../panel/fields';
import { defineOperation } from '../../run/operation';
import {
	planFields,
	planSchema,
	putOnSchedule,
	rateField,
	readPlan,
	scheduleField,
} from './steps/plan';
import { countRecipients, refuseHiddenAudience } from './steps/recipients';
import { broadcastToChange, readBroadcast, wrongStatusError } from './steps/status';

/** A broadcast that is scheduled. */
export const plannedBroadcast = z.object({
	id: string,
	name: string,
	status: string,
	schedulesAt: stringOrNull,
	recipientsAtMost: number,
});

export const schedule = defineOperation({
	name: 'Schedule',
	value: 'schedule',
	action: 'Schedule broadcast',
	description: 'Schedule a draft, if at most so many contacts would get it',
	endpoint: broadcastApi.scheduleBroadcast,
	keptFromAgents: 'schedule a broadcast',
	fields: [
		broadcastToChange,
		scheduleField([], 'now'),
		...planFields,
		optional('options', [rateField]),
	],
	schema: { body: z.strictObject(planSchema) },
	output: plannedBroadcast,

	validate(item) {
		readPlan(item);
	},

	async run(item) {
		const plan = readPlan(item);
		const found = await readBroadcast(item, item.params.broadcastId);
		if (found.status !== statusNeededTo.schedule) throw wrongStatusError(found, 'schedule');
		refuseHiddenAudience(found);
		const recipientsAtMost = await countRecipients(item, found);
		const id = String(found.id);
		await putOnSchedule(item, id, plan, recipientsAtMost);
		const { schedulesAt } = plan;
		return [{ id, name: found.name, status: 'scheduled', schedulesAt, recipientsAtMost }];
	},
});
